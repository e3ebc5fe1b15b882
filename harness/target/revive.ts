/**
 * A target that died during a run is started again by its `restart` hook, so that what the run had made can be deleted.
 * Nothing more is judged: what a server has forgotten by its death is no finding.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../vocabulary/session.ts'
import { callHook } from './call-hook.ts'

/** Milliseconds in which a server must answer after its restart. */
const patience = 30_000

/** Whether the target answers again. Without the hook it does not. */
export async function revive({ target, alive, actors }: Session): Promise<boolean> {
  if (target.hooks?.restart === undefined) return false
  try {
    await callHook(target, 'restart', {})
  } catch {
    return false
  }
  const end = Date.now() + patience
  while (!(await alive())) {
    if (Date.now() > end) return false
    await sleep(200)
  }
  actors.forget()
  return true
}
