/**
 * The schema of one record in a response; `body-schemas.ts` has the schemas of requests.
 *
 * @module
 */

import { commonFields } from '../spec/common-fields.ts'
import { componentReference } from './component-reference.ts'
import type { DescribedField, DescribedTable, DescriptionPart } from './vocabulary.ts'

/** Fields that every auth record has, in addition to the fields of every record. */
export const accountFields: readonly string[] = ['email', 'emailVisibility', 'verified']

const stamps: readonly string[] = ['created', 'updated']
const common: readonly string[] = commonFields

/**
 * A record as responses show it. The fields of the table come between the common ones, so that a new field changes no
 * other line of a description.
 *
 * @param base the record of the general description
 * @param expansion component of what `expand` adds, if anything
 */
export function recordSchema(
  table: DescribedTable,
  fields: readonly DescribedField[],
  base: DescriptionPart,
  expansion: string | undefined,
): DescriptionPart {
  const known = base.properties as Record<string, DescriptionPart>
  const own = definedFields(table, fields)
  // A view has only the columns of its query. Every other table has `created` and `updated`, as the document says.
  const present = stamps.filter(
    (name) => table.type !== 'view' || fields.some((field) => field.name === name),
  )
  const mandatory = (base.required as string[]).filter((name) => !stamps.includes(name))
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]]] : [])))
  return {
    type: 'object',
    description: `A record of \`${table.name}\`.`,
    required: [...mandatory, ...own.filter(({ hidden }) => !hidden).map(({ name }) => name), ...present],
    properties: {
      ...pick(['id']),
      collectionId: { ...known.collectionId, const: table.id },
      collectionName: { ...known.collectionName, const: table.name },
      ...(table.type === 'auth' ? pick(accountFields) : {}),
      ...Object.fromEntries(own.map(({ name, read }) => [name, read])),
      ...pick(present),
      ...(expansion !== undefined && { expand: componentReference(expansion) }),
    },
  }
}

/** The fields that the table itself defines. */
export function definedFields({ type }: DescribedTable, fields: readonly DescribedField[]): DescribedField[] {
  return fields.filter(
    ({ name }) => !common.includes(name) && !(type === 'auth' && accountFields.includes(name)),
  )
}
