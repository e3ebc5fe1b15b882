/**
 * The command in the process of the test, from the sources: for what it prints and what it ends with. Nothing else of
 * this process runs meanwhile, and its environment and streams are as before afterwards. What is a property of the
 * process itself, such as a signal, a closed pipe or worker threads, is tested with `run-command.ts`.
 *
 * @module
 */

import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { CommanderError } from 'commander'
import { printLines } from '../../cli/print-lines.ts'
import { createProgram } from '../../cli/program.ts'
import { visible } from '../../exchange/visible.ts'
import { ConfigurationError } from '../../harness/errors.ts'
import { packageFacts } from '../../harness/support/package-facts.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import type { CommandEnd, CommandInput } from './command-end.ts'

/** Until the last command has ended. */
let underWay: Promise<unknown> | undefined

/**
 * One at a time, since each takes the environment and the streams of the process: immediately, or after those that are
 * under way.
 *
 * @throws any error but a mistake of the caller, which `cli/main.ts` would print with its stack
 */
export function commandInProcess(args: string[], given: CommandInput = {}): Promise<CommandEnd> {
  const end = underWay === undefined ? runCommand(args, given) : underWay.then(() => runCommand(args, given))
  const settled = end
    .catch(() => {})
    .finally(() => {
      if (underWay === settled) underWay = undefined
    })
  underWay = settled
  return end
}

async function runCommand(args: string[], { env, input = '' }: CommandInput): Promise<CommandEnd> {
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

/** @returns a function that puts those of this process back, and removes what listens to them and to its signals since */
function replaceStreams(end: CommandEnd, input: string | Buffer): () => void {
  const { stdout, stderr } = process
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  const writes = [stdout.write, stderr.write] as const
  const forget = [
    ...signals.map((name) => newListeners(process, name)),
    ...[stdout, stderr].map((stream) => newListeners(stream, 'error')),
  ]
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
    for (const each of forget) each()
  }
}

/** @returns a function that removes the listeners that were added since: each command adds its own, and Node warns */
function newListeners(emitter: EventEmitter, name: string): () => void {
  const before = new Set(emitter.listeners(name))
  return () => {
    for (const listener of emitter.listeners(name) as ((...given: unknown[]) => void)[])
      if (!before.has(listener)) emitter.off(name, listener)
  }
}
