/**
 * Every request passes through here before the routes: it is logged, and the faults that a test has requested are
 * applied.
 *
 * @module
 */

import type { Faults } from './faults.ts'
import type { WritableLog } from './request-log.ts'

export type Routes = (request: Request, ip?: string) => Promise<Response>

/** @param now milliseconds since the epoch, by the reference's clock */
export function withLogAndFaults(
  routes: Routes,
  log: WritableLog,
  faults: Faults,
  now: () => number,
): Routes {
  return async (request, ip) => {
    const entry = log.begin(request, now())
    if (!faults.active) {
      const response = await routes(request, ip)
      log.end(entry, response)
      return response
    }
    const done: string[] = []
    let response: Response | undefined
    try {
      response = await faults.pass(
        request,
        entry,
        (passed) => routes(passed, ip),
        (what) => {
          done.push(what)
          // Where the response is delayed, the log is read before there is one.
          entry.fault = done.join(', ')
        },
      )
      return response
    } finally {
      log.end(entry, response)
    }
  }
}
