/**
 * A copy of the server that responds in its place, and requests that a breach sends itself.
 *
 * @module
 */

import type { Reference } from '../../../reference/reference.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import { another, type JsonValue } from '../combinators/combinators.ts'
import type { BreachTools } from './breach.ts'

const mostOthers = 60

/** The response that the server would give. The request has no effect, and sends no email. */
export async function fromCopy(reference: Reference, request: Request): Promise<Response> {
  const copy = reference.fork()
  servicesOf(copy).mail.send = async () => {}
  const response = await copy.fetch(request)
  await copy.close()
  return response
}

/** Ids of other records of a table, the youngest first. */
export async function others(
  { prefix, asSuperuser }: BreachTools,
  request: Request,
  table: string,
  id: string,
  most: number,
): Promise<string[]> {
  const path = `${prefix}/collections/${table}/records?perPage=${mostOthers}&sort=-@rowid&filter=${encodeURIComponent(`id != "${id}"`)}`
  const response = await asSuperuser(another(request, 'GET', path))
  const { items = [] } = (await response.json()) as { items?: JsonValue[] }
  return items.slice(0, most).map((item) => String(item.id))
}

export function pathOf({ prefix }: BreachTools, table: string, id: string): string {
  return `${prefix}/collections/${table}/records/${id}`
}

/** The request with another path and a JSON body. */
export function withJson(request: Request, path: string, body: unknown, method = request.method): Request {
  return another(request, method, path, body)
}
