/**
 * Runs checks side by side, each after those that its result depends on.
 *
 * @module
 */

import { existenceOf } from '../../spec/capability-operations.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { type PlannedCheck, runsLast } from '../planning/suites.ts'

type Requirements = ReadonlyMap<string, Pick<Requirement, 'after' | 'operations'>>

/**
 * Checks about all exchanges of a run come last.
 *
 * @param most checks under way
 * @throws the first error of `run`, when all checks have ended: an error must not interrupt the writes of others
 */
export async function sideBySide(
  checks: readonly PlannedCheck[],
  requirements: Requirements,
  most: number,
  run: (check: PlannedCheck) => Promise<void>,
): Promise<void> {
  const slots = createSlots(most)
  const done = new Map<string, Promise<void>>()
  for (const check of checks) {
    const earlier = runsLast(check.suite) ? [...done.keys()] : dependencies(requirements, check)
    const before = earlier.map((id) => done.get(id))
    const work = async () => {
      await Promise.allSettled(before)
      await slots.take()
      try {
        await run(check)
      } finally {
        slots.free()
      }
    }
    done.set(check.id, work())
  }
  const results = await Promise.allSettled(done.values())
  const failed = results.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Ids whose findings a check may look up: those that it builds on, and whether its operations exist. */
function dependencies(requirements: Requirements, { id }: PlannedCheck): string[] {
  const { after = [], operations = [] } = requirements.get(id) ?? {}
  return [...after, ...operations.map(existenceOf)]
}

/** Starts as many checks as there are free slots; the rest wait in order. */
function createSlots(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take(): Promise<void> {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    free(): void {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}
