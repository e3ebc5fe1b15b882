/**
 * Fields that a table of the tester may lack: the target file maps the table, but not these fields, and no record shows
 * them. That is not a failure of the server.
 *
 * @module
 */

import { UntestableError } from '../../../harness/judging/expect.ts'
import type { Api, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { FieldDefinition } from '../../../spec/table-definition.ts'
import { definedFieldsOf } from '../../../spec/tables.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { samples } from '../../shared/records/samples.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { updateAsTaken } from './update-as-taken.ts'

/** No table has such a field. */
const NO_FIELD = 'conformance_no_such_field'

/**
 * Those of the accepted fields that the table may still lack: the target file does not map them, and the server also accepts
 * a field that no table has. `stamp` is always one of them: the server sets it, so it is never sent.
 */
export async function unknownFields(
  api: Api,
  table: TableRef,
  id: string,
  fields: readonly string[],
): Promise<string[]> {
  const unmapped = fields.filter((field) => table.fields?.[field] === undefined)
  if (table.existing !== true || unmapped.length === 0) return []
  const acceptsAny = (await api.update(table, id, { [NO_FIELD]: 'x' })).ok
  return unmapped.filter((field) => acceptsAny || field === 'stamp')
}

/** Fields of ours that records of the table with all field types do not show. */
interface MissingFields {
  /** The server accepts them: it ignores what it does not know. */
  lacking: readonly string[]
  /** The target file does not map them. */
  unmapped: readonly string[]
}

function missingFields(context: CheckContext): Promise<MissingFields> {
  const { api, make, once, table, unique } = context
  const everything = table('everything')
  if (everything.existing !== true) return Promise.resolve({ lacking: [], unmapped: [] })
  return once(`fields that ${everything.name} lacks`, async () => {
    const { id } = await make(everything, { text: unique('fields') })
    const notShown = async () => {
      const viewed = recordOf(await api.view(everything, id))
      return definedFieldsOf('everything').filter(({ name }) => !(name in viewed))
    }
    const values = await valuesFor(context, await notShown())
    if (Object.keys(values).length > 0) await updateAsTaken(api, everything, id, values)
    const missing = (await notShown()).map(({ name }) => name)
    const unmapped = missing.filter((name) => everything.fields?.[name] === undefined)
    return { lacking: await unknownFields(api, everything, id, missing), unmapped }
  })
}

/** A value for each of these fields: a server may leave out the fields that have none. No record shows a password. */
async function valuesFor(context: CheckContext, fields: readonly FieldDefinition[]): Promise<Body> {
  const { hasTable, make, table, unique } = context
  const refers = fields.some(({ type }) => type === 'relation') && hasTable('related')
  const related = refers && (await unlessPrevented(() => make(table('related'), { name: unique('related') })))
  const known = samples(related ? related.id : '')
  const values = fields
    .filter(({ type }) => type !== 'password' && (type !== 'relation' || related))
    .map(({ name }) => [name, known[name]])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/**
 * Fields of ours that the table with all field types does not have, although the server accepts them: it ignores what it does
 * not know, and so keeps none of their values.
 */
export async function lackingFields(context: CheckContext): Promise<readonly string[]> {
  return (await missingFields(context)).lacking
}

/**
 * Fields of ours that the table with all field types neither shows nor has in the target file. A server that rejects what it
 * does not know would reject nearly every body with them.
 */
export async function unshownFields(context: CheckContext): Promise<readonly string[]> {
  return (await missingFields(context)).unmapped
}

export function unmappedFields(table: TableRef, fields: readonly string[]): UntestableError {
  return new UntestableError(
    `records of ${table.name} show no ${fields.join(', ')}, and the target file maps no fields to ${fields.length === 1 ? 'it' : 'them'}`,
    mappingHint(table, fields),
  )
}

/** The line that maps the fields, if the table has them under other names. */
export function mappingHint({ role, name }: TableRef, fields: readonly string[]): string {
  const lines = fields.map((field) => `"${field}": "<its field>"`).join(', ')
  return `target file: "tables": { "${role}": { "name": ${JSON.stringify(name)}, "fields": { ${lines} } } }, in addition to those that it maps; if the table lacks such fields, add them, or map another table`
}
