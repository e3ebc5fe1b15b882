/**
 * Makes any kind of token for any record, without signing in and without a mail.
 *
 * @module
 */

import type { SignOptions, TokenKind } from '../reference/auth/tokens.ts'
import type { Reference } from '../reference/reference.ts'
import { servicesOf } from '../reference/services-of.ts'
import { didYouMean, quoted } from '../spec/nearest.ts'
import { AskedWrongly, type JsonObject, textOf } from './answer.ts'

/** `static`: a session token that cannot be refreshed, as impersonation gives. */
const kinds = ['auth', 'static', 'file', 'verification', 'passwordReset', 'emailChange'] as const
export type MintKind = (typeof kinds)[number]

export interface Minted {
  token: string
  kind: MintKind
  table: string
  id: string
}

/**
 * @param body `{ table, id | email, kind?, duration?, newEmail? }`; `duration` in seconds
 * @throws AskedWrongly when there is no such record, or a value does not fit
 */
export async function mintToken(reference: Reference, body: JsonObject): Promise<Minted> {
  const kind = readKind(body.kind)
  const services = servicesOf(reference)
  const reader = services.store.current
  const name = textOf(body, 'table')
  const table = reader.table(name)
  if (table === undefined) {
    const names = [...reader.tables()].flatMap((one) => (one.type === 'auth' ? [one.name] : []))
    throw new AskedWrongly(`There is no table ${quoted(name)}.${didYouMean(name, names)}`, 404)
  }
  if (table.type !== 'auth') throw new AskedWrongly(`The table "${table.name}" is not an auth table.`)
  const row =
    typeof body.email === 'string' && body.id === undefined
      ? [...reader.scan(table)].find(({ values }) => values.email === body.email)
      : reader.get(table, textOf(body, 'id'))
  if (row === undefined) throw new AskedWrongly(`The table "${table.name}" has no such record.`, 404)
  const token = await services.tokens.sign(
    table,
    row,
    kind === 'static' ? 'auth' : (kind satisfies TokenKind),
    {
      ...optionsOf(kind, body, String(row.values.email ?? '')),
      ...duration(body.duration),
    },
  )
  return { token, kind, table: table.name, id: row.id }
}

function readKind(value: unknown = 'auth'): MintKind {
  const kind = kinds.find((one) => one === value)
  if (kind !== undefined) return kind
  throw new AskedWrongly(
    `Unknown kind of token "${String(value)}".${didYouMean(String(value), kinds)} Use one of ${kinds.join(', ')}.`,
  )
}

function optionsOf(kind: MintKind, body: JsonObject, email: string): SignOptions {
  switch (kind) {
    case 'auth':
    case 'file':
      return {}
    case 'static':
      return { refreshable: false }
    case 'verification':
    case 'passwordReset':
      return { email }
    case 'emailChange':
      return { email, newEmail: textOf(body, 'newEmail') }
  }
}

function duration(value: unknown): SignOptions {
  if (value === undefined) return {}
  if (typeof value === 'number' && Number.isInteger(value)) return { duration: value }
  throw new AskedWrongly(
    '"duration" must be an integer number of seconds; a negative number creates an expired token.',
  )
}
