/**
 * Runs the command of `conformance serve --exec "cmd"`.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a line in the shell with the streams of this process.
 *
 * @returns its exit code; 128 and the signal's number when a signal ended it, as shells have it
 * @throws the system's error when there is no shell
 */
export function runCommand(line: string, environment: Record<string, string>): Promise<number> {
  const child = spawn(line, { shell: true, stdio: 'inherit', env: { ...process.env, ...environment } })
  // Ctrl-C reaches the command by the terminal; what asks us alone to stop is passed on.
  const pass = () => child.kill('SIGTERM')
  const wait = () => {}
  process.on('SIGTERM', pass)
  process.on('SIGINT', wait)
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  }).finally(() => {
    process.off('SIGTERM', pass)
    process.off('SIGINT', wait)
  })
}
