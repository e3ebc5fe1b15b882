/**
 * The two shapes of most breaches: a request with another response, and a request that is not passed on.
 *
 * @module
 */

import type { Middleware } from '../fault.ts'
import type { Breach, BreachTools, Seen } from './breach.ts'

type Make = Pick<Breach, 'watch' | 'make'>

/** The response that the server gives by itself: the breach made no difference. */
export class Unchanged {
  readonly response: Response
  constructor(response: Response) {
    this.response = response
  }
}

/**
 * Handles some requests differently. If `instead` returns undefined, they are passed on.
 *
 * @param meets whether a recorded exchange would be such a request
 * @param concerns the same before the response is known
 */
export function insteadOf(
  concerns: (seen: Seen) => boolean,
  meets: (seen: Seen) => boolean,
  instead: (request: Request, seen: Seen, tools: BreachTools) => Promise<Response | Unchanged | undefined>,
): Make {
  return {
    watch: () => (seen) => concerns(seen) && meets(seen),
    make:
      (tools): Middleware =>
      async (request, next) => {
        const seen = await tools.read(request)
        if (!concerns(seen)) return next(request)
        const response = await instead(request.clone(), seen, tools)
        if (response === undefined) return next(request)
        if (response instanceof Unchanged) return response.response
        tools.met()
        return response
      },
  }
}
