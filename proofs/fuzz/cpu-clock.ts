/**
 * CPU time of one thread. A machine that is busy with other work makes everything take longer, but gives no thread
 * more CPU time than it needs.
 *
 * @module
 */

import { readFileSync } from 'node:fs'

/** Milliseconds. */
export type CpuClock = () => number

const own = '/proc/thread-self/schedstat'

/** Of the thread that asks. Where the system does not tell: of the process, which counts helper threads too. */
export function ownCpuClock(): CpuClock {
  try {
    readFileSync(own)
    return () => Number(readFileSync(own, 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
  }
}
