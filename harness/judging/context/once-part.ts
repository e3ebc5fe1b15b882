/**
 * What several checks share: made by the first that needs it, and kept until the end of the run.
 *
 * @module
 */

import type { CheckContext } from '../../vocabulary/check.ts'
import type { CleanUp } from '../../vocabulary/session.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { BrokenConnectionError, RateLimitedError } from '../expect.ts'

export function oncePart(session: Wire & CleanUp, check: string, signal: AbortSignal): CheckContext['once'] {
  return async <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = session.shared.get(key)
    if (known !== undefined) {
      try {
        return (await known.made) as T
      } finally {
        session.recorder.recall(known.exchanges)
        session.coverage.recall(known.covered, check)
      }
    }
    const mark = session.cleanup.mark()
    const scope = session.recorder.open()
    const covered = session.coverage.share()
    const repeated = session.connections.repeatedWrites
    const made = make()
    session.shared.set(key, { made, exchanges: scope.exchanges, covered })
    try {
      return await made
    } catch (error) {
      // A timeout, a rate limit or a broken connection in this check says nothing about the next one.
      const passing = error instanceof RateLimitedError || error instanceof BrokenConnectionError
      if (signal.aborted || passing || session.connections.repeatedWrites > repeated)
        session.shared.delete(key)
      throw error
    } finally {
      scope.close()
      covered.close()
      // If it is not shared after all, it is deleted with everything else that the check created.
      if (session.shared.has(key)) session.cleanup.keepFrom(mark)
    }
  }
}
