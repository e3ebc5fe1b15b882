/**
 * Breaches that pass the request on and change its response. The same function changes a response on the wire and
 * reports whether a recorded one would be changed.
 *
 * @module
 */

import type { OperationId } from '../../../spec/vocabulary.ts'
import type { Middleware } from '../fault.ts'
import type { Breach, BreachTools, Seen } from './breach.ts'
import { responded } from './read-request.ts'

/** Another response; undefined leaves it as it is. An undefined body stands for none. */
export type ResponseChange = (seen: Seen) => { status: number; body: unknown } | undefined

/** @param change makes a function that may remember what it has seen */
export function changesResponse(
  operation: OperationId | undefined,
  change: () => ResponseChange,
): Pick<Breach, 'watch' | 'make'> {
  return {
    watch() {
      const changed = change()
      return (seen) => changed(seen) !== undefined
    },
    make({ read, met }: BreachTools): Middleware {
      const changed = change()
      return async (request, next) => {
        const asked = await read(request)
        const response = await next(request)
        if (operation !== undefined && asked.operation !== operation) return response
        const other = changed(responded(asked, response.status, await response.clone().text()))
        if (other === undefined) return response
        met()
        return responseLike(response, other.status, other.body)
      }
    },
  }
}

/** Keeps the headers. @param body undefined for none */
function responseLike(response: Response, status: number, body: unknown): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const empty = body === undefined || [204, 205, 304].includes(status)
  if (!empty && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return new Response(empty ? null : `${JSON.stringify(body)}\n`, { status, headers })
}
