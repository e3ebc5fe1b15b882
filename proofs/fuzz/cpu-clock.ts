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

/**
 * The CPU time of the calling thread. If the system does not report it: of the process, which includes helper threads.
 */
export function threadCpuClock(): CpuClock {
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
