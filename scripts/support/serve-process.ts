/**
 * `conformance serve` as a process.
 *
 * @module
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { builtCommand } from './command.ts'
import { userEnvironment } from './user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ServeProcess {
  readonly child: ChildProcess
  /** Everything that was printed so far. */
  out(): string
  err(): string
  /** Waits until the output holds it. @throws Error with the output after 20 s, or when the process ends before */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it as Ctrl-C does. @returns exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  ended: Promise<number | null>
}

export function startServe(
  args: string[],
  { file = builtCommand, env = {} }: { file?: string; env?: Record<string, string> } = {},
): ServeProcess {
  const child = spawn(process.execPath, [file, 'serve', ...args], {
    cwd: root,
    env: { ...userEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err, over] = ['', '', false]
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    over = true
    return code as number | null
  })
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    async says(pattern) {
      for (let waited = 0; waited < 20_000; waited += 20) {
        const found = pattern.exec(out) ?? pattern.exec(err)
        if (found) return found
        if (over) break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`${pattern} was not said. Output:\n${out}\n${err}`)
    },
    stop(signal = 'SIGINT') {
      child.kill(signal)
      return ended
    },
  }
}
