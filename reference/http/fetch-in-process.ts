/**
 * Requests to a reference as calls of a function, without a socket.
 *
 * @module
 */

import { rememberRequest } from '../../exchange/remember-request.ts'
import type { ReferenceBase } from '../reference-types.ts'
import { isForeignBody, mayHaveLostFile, plainInit, rejectLostFile } from './plain-init.ts'
import { nativeResponse } from './text-response.ts'
import { untilAborted } from './until-aborted.ts'

/** The origin for paths without one. Never resolved. */
export const referenceOrigin = 'http://reference.invalid'

export type RespondInProcess = (request: Request, ip?: string) => Promise<Response>

/** The `fetch` of a reference that responds with `respond`. */
export function fetchInProcess(respond: RespondInProcess): ReferenceBase['fetch'] {
  const send: ReferenceBase['fetch'] = (request, init, ip) => {
    const given = request instanceof Request && init === undefined
    const made = given
      ? request
      : new Request(typeof request === 'string' ? new URL(request, referenceOrigin) : request, init)
    // The socket itself reports whether the client of a request with an address has disconnected.
    const signal = init?.signal ?? (given && ip === undefined ? made.signal : undefined)
    const responding = signal ? untilAborted(signal, () => respond(made, ip)) : respond(made, ip)
    return responding.then((responded) => {
      const native = nativeResponse(responded)
      // So that the validator can be given the response alone, as one of fetch.
      rememberRequest(native, {
        method: made.method,
        url: made.url,
        body: typeof init?.body === 'string' ? init.body : undefined,
      })
      return native
    })
  }
  return (request, init, ip) => {
    if (init && isForeignBody(init.body)) return plainInit(init).then((plain) => send(request, plain, ip))
    if (mayHaveLostFile(request)) return rejectLostFile(request).then(() => send(request, init, ip))
    return send(request, init, ip)
  }
}
