/**
 * Whether a target still responds. One connection may break on its way to a server that is well: a target counts as lost
 * only when several probes, with pauses between them, get no response.
 *
 * @module
 */

import { NetworkError } from '../errors.ts'
import type { Pause } from '../wire/transport.ts'

/** Milliseconds before each probe. There are as many probes as pauses: three. docs/targets.md states them. */
export const probePauses: readonly number[] = [0, 250, 1_000]

/**
 * @param send one request, to which any HTTP response will do
 * @returns a function that probes. Callers at the same time share its probes. A target that was found lost gets one probe
 * only from then on, until it responds: a dead server would otherwise cost all pauses again for each request.
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
