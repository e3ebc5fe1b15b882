/**
 * How the schemas of a table are called, for readers and for code generators.
 *
 * @module
 */

import type { DescribedTable } from './vocabulary.ts'

/** Suffixes of the component names of a table. A view has the first two only; forms are for tables with files. */
export const endings = [
  'Record',
  'Expand',
  'Create',
  'Update',
  'CreateForm',
  'UpdateForm',
  'CreateEntry',
  'UpdateEntry',
  'UpsertEntry',
] as const
export type Ending = (typeof endings)[number]

/** Names for components. The components need not exist. */
export interface ComponentNames {
  /** `PostsRecord` for the table `posts`. */
  of(table: DescribedTable, ending: Ending): string
  /** `PostsTagsOption` for the select field `tags`. */
  options(table: DescribedTable, field: string): string
  /** `PostsListResponse` for the copy of a general component. */
  copy(table: DescribedTable, general: string): string
}

/**
 * Names for code generators: `blog_posts` becomes `BlogPosts`. Duplicates get a number, in the order of the tables and
 * their fields.
 *
 * @param general components of the general description that may be copied for a table
 * @param taken names that are already used
 */
export function nameComponents(
  tables: readonly DescribedTable[],
  general: readonly string[],
  taken: readonly string[],
): ComponentNames {
  const used = new Set([...general, ...taken].map(folded))
  const types = new Map<string, string>()
  for (const { name } of tables) {
    const ends = [...endings, ...general]
    const type = free(pascalCase(name), (each) => ends.every((end) => !used.has(folded(each + end))))
    for (const end of ends) used.add(folded(type + end))
    types.set(name, type)
  }
  const options = new Map<string, string>()
  for (const { name, fields } of tables)
    for (const field of fields.filter(({ type }) => type === 'select')) {
      const wanted = `${types.get(name)}${pascalCase(field.name)}Option`
      const found = free(wanted, (each) => !used.has(folded(each)))
      used.add(folded(found))
      options.set(`${name}.${field.name}`, found)
    }
  return {
    of: ({ name }, ending) => `${types.get(name)}${ending}`,
    options: ({ name }, field) => options.get(`${name}.${field}`) ?? '',
    copy: ({ name }, other) => `${types.get(name)}${other}`,
  }
}

function free(wanted: string, isFree: (name: string) => boolean): string {
  let name = wanted
  for (let count = 2; !isFree(name); count += 1) name = `${wanted}${count}`
  return name
}

/** Code generators change the case of names and remove everything but letters and digits. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** `blog_posts` as a type name, which cannot begin with a digit. A table may be called `_`. */
export function pascalCase(name: string): string {
  const words = name.split('_').filter((word) => word !== '')
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(joined) ? joined : `X${joined}`
}
