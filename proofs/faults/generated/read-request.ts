/**
 * What a request is for, and who sends it.
 *
 * @module
 */

import { matchOperation } from '../../../exchange/operation.ts'
import type { Reference } from '../../../reference/reference.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import { claimsIn } from '../combinators/auth.ts'
import type { BreachCaller, Seen } from './breach.ts'

/** Everything that is known about an exchange before the response. */
export async function readRequest(request: Request, reference: Reference): Promise<Seen> {
  const url = new URL(request.url)
  const match = matchOperation(request.method, url.pathname, reference.prefix)
  const bare = request.method === 'GET' || request.method === 'HEAD'
  const text = bare ? '' : await request.clone().text()
  const table = match?.params.table
  const name = table === undefined ? undefined : servicesOf(reference).store.current.table(table)?.name
  return {
    check: '',
    method: request.method,
    url,
    caller: callerOf(request.headers.get('authorization') ?? '', reference),
    operation: match?.operation.id,
    tableSent: table,
    table: name,
    id: match?.params.id,
    type: request.headers.get('content-type') ?? '',
    text,
    sent: jsonIn(text),
    status: 0,
    body: undefined,
    bytes: 0,
    together: false,
  }
}

/** The same with the response. */
export function responded(seen: Seen, status: number, text: string): Seen {
  return { ...seen, status, body: jsonIn(text), bytes: text.length }
}

function jsonIn(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function callerOf(authorization: string, reference: Reference): BreachCaller {
  const token = authorization.replace(/^Bearer /i, '')
  if (token === '') return 'guest'
  const services = servicesOf(reference)
  if (services.findApiKey(token) !== undefined) return 'key'
  const { collectionId, exp, type } = claimsIn(token) ?? {}
  if (type !== 'auth' || Number(exp) * 1000 < services.environment.now()) return 'invalid'
  const table = services.store.current.table(String(collectionId))
  if (table === undefined) return 'invalid'
  return table.name === '_superusers' ? 'superuser' : 'user'
}
