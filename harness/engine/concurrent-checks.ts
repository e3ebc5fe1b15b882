/**
 * Runs checks at the same time, for a slow server: each in a session of its own, so that its requests depend only on the
 * seed, not on the number of concurrent checks. docs/decisions/006.
 *
 * @module
 */

import { setMaxListeners } from 'node:events'
import type { PlannedCheck } from '../planning/suites.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { sumOfConnections } from '../wire/connection-log.ts'
import { openConnections } from '../wire/transport.ts'
import { rowsTogether, sumOfRateLimits, sumOfSent } from './engine-result.ts'
import type { AssignmentEnd } from './messages.ts'
import { sideBySide } from './side-by-side.ts'

/** Milliseconds of a quick response at which a server counts as slow: the suite waits longer than it works. */
const slow = 40
/** Checks that are under way at a slow server. */
const mostAtOnce = 16
/** Records of one table that the clean-up of a check deletes at the same time. */
const mostDeletes = 8

type Seen = Pick<AssignmentEnd, 'coverage' | 'sent' | 'connections' | 'rateLimit'>

export class ConcurrentChecks {
  readonly #first: Session
  readonly #open = new Set<Session>()
  readonly #ended: Seen[] = []
  #requests = 0

  /** @param first the session that knows the target; it takes over what the others leave */
  constructor(first: Session) {
    this.#first = first
  }

  /** Requests of all sessions but the first. */
  get requests(): number {
    return [...this.#open].reduce((sum, { count }) => sum + count.requests, this.#requests)
  }

  /**
   * @param most checks under way
   * @param goesOn asked before each check
   * @param check runs it, and cleans up after it
   * @throws the first error of `check`, when all checks have ended
   */
  async run(
    checks: readonly PlannedCheck[],
    most: number,
    stop: AbortSignal,
    goesOn: () => boolean,
    check: (planned: PlannedCheck, session: Session) => Promise<void>,
  ): Promise<void> {
    const { target, options, requirements } = this.#first
    const connections = openConnections(target.baseUrl, options.concurrency ?? most, options.timeout)
    const parts = { requirements, connections, deletesAtOnce: mostDeletes, of: this.#first, stop }
    setMaxListeners(0, stop)
    try {
      await sideBySide(checks, requirements, most, async (planned) => {
        if (!goesOn()) return
        const session = createSession(target, parts, options)
        session.signal = stop
        this.#open.add(session)
        try {
          await check(planned, session)
        } finally {
          this.#take(session)
        }
      })
    } finally {
      await connections.destroy()
    }
  }

  /** What all sessions have sent and seen, the first included. */
  seen(): Seen {
    const all = [seenBy(this.#first), ...this.#ended]
    return {
      coverage: rowsTogether(all.map(({ coverage }) => coverage)),
      sent: all.map(({ sent }) => sent).reduce(sumOfSent),
      connections: sumOfConnections(all.flatMap(({ connections }) => connections ?? [])),
      rateLimit: sumOfRateLimits(all.flatMap(({ rateLimit }) => rateLimit ?? [])),
    }
  }

  #take(session: Session): void {
    this.#open.delete(session)
    this.#requests += session.count.requests
    this.#ended.push(seenBy(session))
    this.#first.ownership.adopt(session.ownership)
    this.#first.cleanup.adopt(session.cleanup)
    for (const scope of session.scopes) this.#first.scopes.add(scope)
  }
}

/**
 * Number of concurrent checks: one, unless even the fastest tenth of the first responses took long. On a busy machine, some
 * responses of any server are slow.
 *
 * @param most `--concurrency`
 */
export function checksAtOnce(times: readonly number[], most = mostAtOnce): number {
  const sorted = [...times].sort((one, other) => one - other)
  const quick = sorted[Math.floor(sorted.length / 10)] ?? 0
  return quick < slow ? 1 : Math.min(most, mostAtOnce)
}

function seenBy({ coverage, count, connections, transport }: Wire): Seen {
  return {
    coverage: coverage.rows(),
    sent: count.sent,
    connections: connections.counts(),
    rateLimit: transport.rateLimit(),
  }
}
