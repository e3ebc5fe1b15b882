/**
 * Finds existing tables, for a run that must not create any.
 *
 * @module
 */

import { type Admin, listTables } from '../../harness/target/admin.ts'
import type { TargetFile } from '../../harness/target/target-file.ts'

interface Listed {
  id: string
  name: string
  type: string
  system: boolean
  listRule: string | null
  fields: { name: string; type: string; system?: boolean }[]
}

/** A public table with a text field as `plain`, and an auth table as `members`, if they exist. */
export async function existingTables(admin: Admin): Promise<NonNullable<TargetFile['tables']>> {
  const listed = ((await listTables(admin)) as unknown as Listed[]).filter(({ system }) => !system)
  const plain = listed.find(
    ({ type, listRule, fields }) =>
      type === 'base' &&
      listRule === '' &&
      ['created', 'updated'].every((name) => fields.some((field) => field.name === name)) &&
      textField(fields) !== undefined,
  )
  const members = listed.find(({ type }) => type === 'auth')
  const title = plain === undefined ? undefined : textField(plain.fields)
  return {
    ...(plain !== undefined &&
      title !== undefined && { plain: { name: plain.name, id: plain.id, fields: { title } } }),
    ...(members !== undefined && { members: { name: members.name, id: members.id } }),
  }
}

function textField(fields: Listed['fields']): string | undefined {
  return fields.find(({ type, name, system }) => type === 'text' && system !== true && name !== 'id')?.name
}
