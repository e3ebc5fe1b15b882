/**
 * The command as its users have it: a process that is run to its end, or started. For what is not a property of a
 * process, `command-in-process.ts` takes a tenth of the time.
 *
 * @module
 */

import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { builtCommand } from '../../scripts/support/command.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import type { CommandEnd, CommandInput } from './command-end.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export function conformance(args: string[], { env, input = '' }: CommandInput = {}): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [builtCommand, ...args],
      { cwd: root, env: { ...userEnvironment(), ...env } },
      (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    )
    // A command that does not read it may have ended.
    child.stdin?.on('error', () => {}).end(input)
  })
}

export function startCommand(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [builtCommand, ...args], {
    cwd: root,
    env: userEnvironment(),
    stdio: 'pipe',
  })
}
