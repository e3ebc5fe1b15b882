/**
 * The body that creates a record for a provider's user (contract-auth 6.6).
 *
 * @module
 */

import { emptyBody, type SubmittedBody } from '../../http/read-body.ts'
import type { Environment, Field, Json, Reader, Table, Upload } from '../../vocabulary.ts'
import { findByUnique } from '../account.ts'
import { downloadAvatar } from './download-avatar.ts'
import type { ProviderUser } from './provider-user.ts'

/** Whether the field accepts this string: its pattern matches, and no other record has it. */
function accepts(reader: Reader, table: Table, field: Field, text: string): boolean {
  const value = field.accept(text)
  return (
    field.check(value, { reader, table }) === undefined &&
    findByUnique(reader, table, field.name, text) === undefined
  )
}

/** Which of the user's properties are copied to which field. Fields that the client sent stay unchanged. */
function mapped(
  table: Table,
  user: ProviderUser,
  createData: Record<string, Json>,
): [Field, keyof Mapped, string][] {
  const names = table.definition.oauth2?.mappedFields ?? {}
  const found: [Field, keyof Mapped, string][] = []
  for (const claim of ['id', 'name', 'username', 'avatarURL'] as const) {
    const field = table.field(names[claim] ?? '')
    if (field === undefined || Object.hasOwn(createData, field.name) || user[claim] === '') continue
    found.push([field, claim, user[claim]])
  }
  return found
}

type Mapped = Pick<ProviderUser, 'id' | 'name' | 'username' | 'avatarURL'>

/**
 * `createData`, completed with the user's data from the provider. A username that is invalid or taken, and an avatar
 * that cannot be fetched, are left out without an error.
 */
export async function providerSignUpBody(
  reader: Reader,
  table: Table,
  user: ProviderUser,
  createData: Record<string, Json>,
  environment: Environment,
): Promise<SubmittedBody> {
  const values: Record<string, Json> = Object.assign(emptyBody().values, createData)
  const files = new Map<string, readonly Upload[]>()
  if (!values.email) values.email = user.email
  for (const [field, claim, text] of mapped(table, user, createData)) {
    if (claim === 'username' && !accepts(reader, table, field, text)) continue
    if (claim === 'avatarURL' && field.type === 'file') {
      const upload = await downloadAvatar(text, environment)
      if (upload !== undefined) files.set(field.name, [upload])
      continue
    }
    values[field.name] = text
  }
  return { values, files, inferred: false }
}
