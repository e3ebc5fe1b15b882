/**
 * Loaded into a server's process before the server: appends each long block of its event loop to the file that
 * `FUZZ_BLOCK_LOG` names, in milliseconds of CPU, a line each.
 *
 * @module
 */

import { appendFileSync } from 'node:fs'
import { threadCpuClock } from '../cpu-clock.ts'

/** Shorter ones are not worth a line. */
const noted = 20
const every = 2

const file = process.env.FUZZ_BLOCK_LOG
if (file !== undefined) {
  const cpu = threadCpuClock()
  let last = cpu()
  setInterval(() => {
    const now = cpu()
    if (now - last > noted) appendFileSync(file, `${now - last}\n`)
    last = now
  }, every).unref()
}
