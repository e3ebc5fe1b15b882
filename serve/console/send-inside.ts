/**
 * Sends a request to the interface as a superuser, without the log and the faults on demand: the console must not show
 * its own requests. An error therefore includes the reason that the log would have.
 *
 * @module
 */

import { createApp } from '../../reference/app.ts'
import { bodyLimit, readBytes } from '../../reference/http/read-body.ts'
import { seenReason } from '../../reference/http/seen-request-body.ts'
import { reasonLines } from '../../reference/reasons/reason-lines.ts'
import type { Reference } from '../../reference/reference.ts'
import { servicesOf } from '../../reference/services-of.ts'
import { superusers } from '../../reference/tables/system.ts'
import { InvalidControlRequest } from '../respond.ts'

type App = ReturnType<typeof createApp>

const apps = new WeakMap<Reference, App>()

/**
 * @param request that of the page: its method and its body are used
 * @param path after the prefix, with its query
 * @throws InvalidControlRequest if there is no superuser
 */
export async function sendInside(reference: Reference, request: Request, path: string): Promise<Response> {
  const services = servicesOf(reference)
  // `superuserIPs` is about clients of the interface: anyone who may open the console may use all of it.
  const app = apps.get(reference) ?? createApp({ ...services, superuserIPs: undefined })
  apps.set(reference, app)
  const reader = services.store.current
  const table = reader.table(superusers.name)
  const [row] = table === undefined ? [] : reader.scan(table)
  if (table === undefined || row === undefined)
    throw new InvalidControlRequest('All superusers were deleted. Reset the server to restore them.', 409)
  const authorization = await services.tokens.sign(table, row, 'auth', { duration: 60 })
  const type = request.headers.get('content-type')
  const inner = new Request(new URL(reference.prefix + path, 'http://console.invalid'), {
    method: request.method,
    headers: type === null ? { authorization } : { authorization, 'content-type': type },
    body: type === null ? undefined : new Uint8Array(await readBytes(request, bodyLimit)),
  })
  const response = await app.fetch(inner, { ip: '127.0.0.1' })
  // Any origin may read responses of the interface, but not the data that the console shows.
  response.headers.delete('Access-Control-Allow-Origin')
  response.headers.set('Cache-Control', 'no-store')
  return response.ok ? response : withReason(response)
}

/** An error with the lines that the log has for it: anyone who may open the console may read the log. */
async function withReason(response: Response): Promise<Response> {
  const reason = seenReason(response)
  if (reason === undefined) return response
  const { status, headers } = response
  const body = { ...((await response.json()) as object), reason: reasonLines(reason) }
  return new Response(JSON.stringify(body), { status, headers })
}
