/**
 * Whether a target still responds. One connection to a healthy server may break: a target counts as lost only if
 * several probes, with pauses between them, get no response.
 *
 * @module
 */

import { NetworkError } from '../errors.ts'
import type { Pause } from '../wire/transport.ts'

/** Milliseconds before each probe. There are as many probes as pauses: three. Documented in docs/targets.md. */
export const probePauses: readonly number[] = [0, 250, 1_000]

/**
 * @param send sends one request; any HTTP response is a success
 * @returns a function that probes. Concurrent callers share its probes. A lost target gets only one probe at a time
 *   until it responds: otherwise, a dead server would cost all pauses for each request.
 */
export function createProbe(send: () => Promise<unknown>, pause: Pause): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined
  let lost = false

  async function probe(): Promise<boolean> {
    for (const ms of lost ? [0] : probePauses) {
      if (ms > 0) await pause(ms)
      if (await responds(send)) {
        lost = false
        return true
      }
    }
    lost = true
    return false
  }

  return () => {
    underWay ??= probe().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

async function responds(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    // A response that is too large is a response.
    return error instanceof NetworkError && error.fault === 'oversized'
  }
}
