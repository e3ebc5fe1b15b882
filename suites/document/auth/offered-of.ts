/**
 * Which commands of a sequence the target supports. Separate requirements check that it supports them.
 *
 * @module
 */

import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { unlessUntestable } from '../../shared/unless-prevented.ts'
import type { NamedAct } from './sequence-act.ts'

/** Commands, and a function that tries them with an account of its own and returns whether they work. */
export type Way = [acts: NamedAct[], works: () => Promise<boolean>]

/** Tried once in a run. @param name of these ways together */
export function offeredOf(context: CheckContext, name: string, ways: readonly Way[]): Promise<NamedAct[]> {
  return context.once(name, async () => {
    const offered: NamedAct[] = []
    for (const [acts, works] of ways) if (await unlessUntestable(works)) offered.push(...acts)
    return offered
  })
}
