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
export function execCommand(line: string, environment: Record<string, string>): Promise<number> {
  // At a terminal Ctrl-C reaches the command by itself, and it may want to read. Elsewhere it gets a process group of
  // its own, so that what asks us alone to stop reaches what the shell has started, too.
  const own = process.stdin.isTTY !== true && process.platform !== 'win32'
  const child = spawn(line, {
    shell: true,
    stdio: 'inherit',
    detached: own,
    env: { ...process.env, ...environment },
  })
  const pass = (signal: NodeJS.Signals) => {
    if (!own) child.kill(signal)
    else if (child.pid !== undefined) signalGroup(child.pid, signal)
  }
  const terminate = () => pass('SIGTERM')
  const interrupt = () => own && pass('SIGINT')
  process.on('SIGTERM', terminate)
  process.on('SIGHUP', terminate)
  process.on('SIGINT', interrupt)
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  }).finally(() => {
    process.off('SIGTERM', terminate)
    process.off('SIGHUP', terminate)
    process.off('SIGINT', interrupt)
  })
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // It has just ended.
  }
}
