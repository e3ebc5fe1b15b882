/**
 * Runs the command of `conformance serve --exec "cmd"`.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Milliseconds after its start in which a shell may lose Ctrl-C. */
const shellStart = 500

/** Milliseconds until such a Ctrl-C is sent again. Programs that count signals take two as one within this time. */
const untilRepeated = 200

/**
 * Runs a command line in the shell with the streams of this process.
 *
 * @returns its exit code; if a signal ended it, 128 plus the number of the signal, as in shells
 * @throws the system's error if there is no shell
 */
export function execCommand(line: string, environment: Record<string, string>): Promise<number> {
  // In a terminal Ctrl-C reaches the command directly, and it may want to read input. Otherwise it gets a process group
  // of its own, so that a signal to this process also ends what the shell has started.
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
  const started = performance.now()
  let repeated: NodeJS.Timeout | undefined
  const interrupt = () => {
    if (!own) return
    pass('SIGINT')
    // dash handles SIGINT itself, also in a child that has not executed its command yet: there the signal is lost.
    if (performance.now() - started < shellStart) repeated ??= setTimeout(pass, untilRepeated, 'SIGINT')
  }
  process.on('SIGTERM', terminate)
  process.on('SIGHUP', terminate)
  process.on('SIGINT', interrupt)
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  }).finally(() => {
    clearTimeout(repeated)
    process.off('SIGTERM', terminate)
    process.off('SIGHUP', terminate)
    process.off('SIGINT', interrupt)
  })
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // The process has just ended.
  }
}
