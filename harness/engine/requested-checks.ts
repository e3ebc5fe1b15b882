/**
 * Runs checks in this thread when they are requested, for `conformanceSuite`.
 *
 * @module
 */

import type { Requirement } from '../../spec/vocabulary.ts'
import { ConfigurationError } from '../errors.ts'
import type { PlannedCheck } from '../planning/suites.ts'
import type { Finding } from '../vocabulary/finding.ts'
import { CheckQueue } from './check-queue.ts'
import { enter } from './engine.ts'
import { type EngineResult, nothingYet, together } from './engine-result.ts'
import type { Assignment, News } from './messages.ts'
import { runAssignment } from './run-assignment.ts'

/** Settles the result of one check. */
interface Waiting {
  resolve(finding: Finding): void
  reject(error: Error): void
}

export class RequestedChecks {
  readonly #checks: readonly PlannedCheck[]
  readonly #requirements: ReadonlyMap<string, Pick<Requirement, 'after'>>
  /** Position of each check in the plan. */
  readonly #places: ReadonlyMap<string, number>
  readonly #queue = new CheckQueue()
  readonly #part = nothingYet()
  readonly #waiting = new Map<string, Waiting>()
  readonly #outcomes = new Map<string, Promise<Finding>>()
  #configuration: ConfigurationError | undefined
  readonly #done: Promise<void>
  /** Rejects when the run has ended: checks that are still pending will not run. */
  readonly #over: Promise<never>

  /** @param assignment of all checks that may be requested */
  constructor(assignment: Assignment, requirements: ReadonlyMap<string, Pick<Requirement, 'after'>>) {
    this.#checks = assignment.checks
    this.#requirements = requirements
    this.#places = new Map(assignment.checks.map(({ id }, place) => [id, place]))
    const { signal } = new AbortController()
    this.#done = runAssignment(assignment, signal, (news) => this.#onNews(news), this.#queue)
    this.#over = this.#done.then(() => Promise.reject(this.#why()))
    this.#over.catch(() => {})
  }

  /**
   * Runs a check once, after those that it depends on.
   *
   * @throws Error if it could not be run
   */
  run(id: string): Promise<Finding> {
    const outcome = this.#outcomes.get(id) ?? this.#begin(id)
    this.#outcomes.set(id, outcome)
    return outcome
  }

  /** Whether a check was run, also for one that depends on it. */
  wasRun(id: string): boolean {
    return this.#outcomes.has(id)
  }

  /** Cleans up after the checks. No other check can be run then. @throws Error of the run */
  async end(): Promise<EngineResult> {
    this.#queue.close()
    await this.#done
    return together([this.#part])
  }

  async #begin(id: string): Promise<Finding> {
    const place = this.#places.get(id) ?? 0
    // Its dependencies decide whether it can be judged.
    for (const earlier of this.#requirements.get(id)?.after ?? [])
      if ((this.#places.get(earlier) ?? place) < place) await this.run(earlier).catch(() => {})
    const outcome = new Promise<Finding>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const check = this.#checks[place]
    if (check !== undefined) this.#queue.add(check)
    return Promise.race([outcome, this.#over])
  }

  #onNews(news: News): void {
    enter(this.#part, news)
    const { configuration, finding, error } = news
    if (configuration !== undefined)
      this.#configuration = new ConfigurationError(
        configuration.fact,
        configuration.place,
        configuration.next,
      )
    if (finding !== undefined) this.#waiting.get(finding.requirement)?.resolve(finding)
    if (error !== undefined)
      this.#waiting.get(error.place)?.reject(new Error(`${error.place}: ${error.message}`))
  }

  #why(): Error {
    return (
      this.#configuration ??
      new Error(
        this.#part.errors.at(-1)?.message ?? 'the run has ended: no more requests are sent to the target',
      )
    )
  }
}
