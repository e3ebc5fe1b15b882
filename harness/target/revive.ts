/**
 * Restarts a target that died during a run with its `restart` hook, so that the run's records can be deleted. Nothing
 * more is judged: data that a server loses in a crash is not a finding.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Course } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { callHook } from './call-hook.ts'

/** Milliseconds in which a server must respond after its restart. */
const patience = 30_000

/** Whether the target responds again. Without the hook it does not. */
export async function revive({ target, alive, actors }: Wire & Course): Promise<boolean> {
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
