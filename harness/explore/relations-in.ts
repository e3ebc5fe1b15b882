/**
 * Finds the fields that refer to records of another table, by what the records hold and by their names. Pure.
 *
 * @module
 */

import { commonFields } from '../../spec/common-fields.ts'
import type { Relation } from '../target/relation-in.ts'
import { type FoundTable, isAccount } from './find-tables.ts'
import { tablesNamedBy } from './mentioned.ts'
import { titleOf, usualTitles } from './title-of.ts'

const common = new Set<string>(commonFields)

/** Pairs of tables without accounts, the likeliest first. One without a field `name` shows no text field. */
export function relationsIn(found: readonly FoundTable[]): Relation[] {
  const tables = found
    .filter(({ auth, rows }) => !auth && !rows.some(isAccount))
    .map((table) => ({
      ...table,
      text: titleOf(table.rows)?.field,
      ids: new Set(table.rows.map(({ id }) => id)),
    }))
  const guesses = tables.flatMap((child) =>
    fieldsOf(child)
      .filter((field) => field !== child.text)
      .flatMap((relation) =>
        tables.flatMap((parent) => {
          const fit = fitOfRelation(child, relation, parent)
          return fit === 0 ? [] : [{ fit, pair: pairOf({ ...child, relation }, parent) }]
        }),
      ),
  )
  return guesses.sort((one, other) => other.fit - one.fit).map(({ pair }) => pair)
}

/** Pairs of a table whose records have these fields with those of the others that the fields are named after. */
export function relationsNamed(
  child: { name: string; text: string },
  fields: readonly string[],
  parents: readonly string[],
): Relation[] {
  return fields.flatMap((relation) =>
    parents
      .filter((name) => tablesNamedBy(relation).includes(name))
      .map((name) => pairOf({ ...child, relation }, { name })),
  )
}

/** The same for fields that the rejection of a record names. Its text is one that is named, too, or a usual one. */
export function relationsMentioned(name: string, rejection: string, parents: readonly string[]): Relation[] {
  const words = [...new Set(rejection.match(/[A-Za-z_]\w*/g))]
  const pairs = words.flatMap((relation) =>
    tablesNamedBy(relation)
      .filter((parent) => parent !== relation && parent !== name && parents.includes(parent))
      .map((parent) => ({ relation, parent })),
  )
  const texts = new Set([...usualTitles.filter((text) => words.includes(text)), ...usualTexts])
  return pairs.flatMap(({ relation, parent }) =>
    [...texts].map((text) => pairOf({ name, text, relation }, { name: parent })),
  )
}

/** Fields of a record that belongs to another one. */
const usualTexts = ['text', 'title', 'name']

function pairOf(
  child: { name: string; text: string | undefined; relation: string },
  parent: { name: string; text?: string | undefined },
): Relation {
  const textIn = (text: string | undefined): Record<string, string> =>
    text === undefined ? {} : { name: text }
  return {
    child: { role: 'child', name: child.name, fields: { ...textIn(child.text), parent: child.relation } },
    parent: { role: 'parent', name: parent.name, fields: textIn(parent.text) },
  }
}

function fieldsOf({ rows }: FoundTable): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => !common.has(field))
}

/**
 * 3 if a record of the child holds the id of one of the parent, 2 if only the name of the field says so. 1 if it holds ids
 * that may be other numbers as well, such as "1".
 */
function fitOfRelation(
  child: FoundTable,
  field: string,
  { name, ids }: { name: string; ids: ReadonlySet<unknown> },
): number {
  const values = child.rows.map((row) => row[field]).filter((value) => value !== '' && value != null)
  if (values.some((value) => typeof value !== 'string')) return 0
  const isNamed = tablesNamedBy(field).includes(name)
  const held = values.filter((value) => ids.has(value))
  if (held.length > 0 && (isNamed || held.some((value) => !isCount(value)))) return 3
  if (isNamed) return 2
  const areIds = held.length === values.length && new Set(held).size > 1
  return areIds || (held.length > 0 && isReference(field)) ? 1 : 0
}

/** Whether a value may be a number of anything. */
function isCount(value: unknown): boolean {
  return /^\d{1,9}$/.test(String(value))
}

/** Whether the name of a field says that it holds an id, of whatever table. */
function isReference(field: string): boolean {
  return /^parent$|(_id|Id|ID)$/.test(field)
}
