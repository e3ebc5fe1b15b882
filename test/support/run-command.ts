/**
 * The command as its users have it: a process that is run to its end, or started.
 *
 * @module
 */

import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { builtCommand } from '../../scripts/support/command.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandEnd {
  /** -1 where a signal ended it. */
  code: number
  out: string
  err: string
}

export function conformance(args: string[], env: Record<string, string> = {}): Promise<CommandEnd> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [builtCommand, ...args],
      { cwd: root, env: { ...userEnvironment(), ...env } },
      (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    )
  })
}

export function startCommand(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [builtCommand, ...args], {
    cwd: root,
    env: userEnvironment(),
    stdio: 'pipe',
  })
}
