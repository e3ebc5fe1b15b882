#!/usr/bin/env node
/**
 * The command line: parses, calls one command, and turns its outcome into the exit code.
 *
 * @module
 */

import { CommanderError } from 'commander'
import { ConfigurationError } from '../harness/errors.ts'
import { packageFacts } from '../harness/package-facts.ts'
import { visible } from '../harness/report/visible.ts'
import { createProgram } from './program.ts'

const usage = 2

async function main(): Promise<number> {
  let exitCode = 0
  try {
    await createProgram((code) => {
      exitCode = code
    }).parseAsync(process.argv)
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage
    const { name, version } = packageFacts()
    const text =
      error instanceof ConfigurationError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error)
    process.stderr.write(`${name} ${version}: ${visible(text)}\n`)
    return usage
  }
}

// Whoever reads our output may stop in the middle (`conformance list | head`): that is no error of anybody.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await main()
// A server or a connection that somebody forgot would keep a finished run waiting, and a CI job with it.
setTimeout(() => process.exit(), 5_000).unref()
