/**
 * The command in the process of the test, from the sources: for what it prints and what it ends with. Nothing else of
 * this process runs meanwhile, and its environment and streams are as before afterwards. What is a property of the
 * process itself, such as a signal, a closed pipe or a run with worker threads, is tested with `run-command.ts`.
 *
 * @module
 */

import { Readable } from 'node:stream'
import { CommanderError } from 'commander'
import { printLines } from '../../cli/print-lines.ts'
import { createProgram } from '../../cli/program.ts'
import { visible } from '../../exchange/visible.ts'
import { ConfigurationError } from '../../harness/errors.ts'
import { packageFacts } from '../../harness/support/package-facts.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import type { CommandEnd, CommandInput } from './command-end.ts'

/** @throws any error but a mistake of the caller, which `cli/main.ts` would print with its stack */
export async function commandInProcess(
  args: string[],
  { env, input = '' }: CommandInput = {},
): Promise<CommandEnd> {
  const end: CommandEnd = { code: 0, out: '', err: '' }
  const restore = replaceStreams(end, input)
  const environment = process.env
  process.env = { ...userEnvironment(), ...env }
  try {
    await createProgram((code) => {
      end.code = code
    }).parseAsync(['node', 'conformance', ...args])
  } catch (error) {
    end.code = 2
    if (error instanceof CommanderError) end.code = error.exitCode === 0 ? 0 : 2
    else if (error instanceof ConfigurationError) {
      const { name, version } = packageFacts()
      printLines(process.stderr, `${name} ${version}: ${visible(error.message)}`.split('\n'))
    } else throw error
  } finally {
    process.env = environment
    restore()
  }
  return end
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @returns a function that puts those of this process back, and removes what listens to its signals since */
function replaceStreams(end: CommandEnd, input: string | Buffer): () => void {
  const { stdout, stderr } = process
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  const writes = [stdout.write, stderr.write] as const
  const listening = signals.map((name) => process.listeners(name))
  stdout.write = (chunk: string | Uint8Array) => {
    end.out += chunk
    return true
  }
  stderr.write = (chunk: string | Uint8Array) => {
    end.err += chunk
    return true
  }
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) })
  return () => {
    stdout.write = writes[0]
    stderr.write = writes[1]
    Object.defineProperty(process, 'stdin', stdin)
    for (const [at, name] of signals.entries())
      for (const listener of process.listeners(name))
        if (!listening[at]?.includes(listener)) process.off(name, listener)
  }
}
