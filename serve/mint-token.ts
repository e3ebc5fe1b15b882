/**
 * Creates any kind of token for any record, without signing in and without an email.
 *
 * @module
 */

import type { Reference } from '../reference/reference.ts'
import type { TokenForOptions } from '../reference/testing/actors.ts'
import { InvalidControlRequest } from './respond.ts'

type MintKind = NonNullable<TokenForOptions['kind']>

export interface MintOptions extends TokenForOptions {
  table: string
  /** The account, by its id or its email address. */
  id?: string
  email?: string
}

export interface Minted {
  token: string
  kind: MintKind
  table: string
  id: string
}

/** The account with an email address, in any letter case. */
async function findByAddress({ find, list }: Reference['records'], table: string, email = '') {
  const exact = await find(table, { email })
  if (exact !== undefined) return exact
  const [found] = await list(table, { filter: `email:lower = ${JSON.stringify(email.toLowerCase())}` })
  return found
}

/**
 * @throws InvalidControlRequest 404 if the record does not exist
 * @throws Error if the table is unknown or has no accounts, or `newEmail` is missing
 */
export async function mintToken(
  { records, tokenFor }: Reference,
  { table, id, email, kind = 'auth', ...options }: MintOptions,
): Promise<Minted> {
  if (id !== undefined && email !== undefined)
    throw new InvalidControlRequest('"id" and "email" both name the account: send one of them.')
  if (options.newEmail !== undefined && kind !== 'emailChange')
    throw new InvalidControlRequest(`"newEmail" is for the kind emailChange, not for ${kind}.`)
  const record = await (id === undefined ? findByAddress(records, table, email) : records.find(table, id))
  if (record === undefined)
    throw new InvalidControlRequest(`The record does not exist in the table "${table}".`, 404)
  const token = await tokenFor(table, record.id, { ...options, kind })
  return { token, kind, table: record.collectionName, id: record.id }
}
