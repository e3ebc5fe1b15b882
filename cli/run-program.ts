/**
 * The command line: parses, calls one command, and turns its outcome into the exit code.
 *
 * @module
 */

import { CommanderError } from 'commander'
import { visible } from '../exchange/visible.ts'
import { ConfigurationError } from '../harness/errors.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { printLines } from './print-lines.ts'
import { createProgram } from './program.ts'
import { hasNoReader } from './stop-signal.ts'

const usage = 2

/** Runs the command that the arguments name, and sets the exit code of the process. */
export async function runProgram(): Promise<void> {
  watchOutput()
  const exitCode = await outcome()
  process.exitCode = unwritten ? usage : exitCode
  // A server or connection that was not closed would keep the finished process alive, and a CI job with it.
  setTimeout(() => process.exit(), 5_000).unref()
}

async function outcome(): Promise<number> {
  let exitCode = 0
  try {
    await createProgram((code) => {
      exitCode = code
    }).parseAsync(process.argv)
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage
    const text =
      error instanceof ConfigurationError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error)
    complain(text)
    return usage
  }
}

function complain(text: string): void {
  const { name, version } = packageFacts()
  printLines(process.stderr, `${name} ${version}: ${visible(text)}`.split('\n'))
}

let unwritten = false

/**
 * The reader of the output may stop early (`conformance list | head`). That is not an error. The command continues without
 * a reader: it may have to delete records and write a report, and its exit code still matters.
 */
function watchOutput(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (hasNoReader(code) || unwritten) return
    unwritten = true
    process.exitCode = usage
    complain(`the output cannot be written (${code ?? message})`)
  })
  // There is no stream left to report to.
  process.stderr.on('error', () => {})
}
