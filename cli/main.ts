#!/usr/bin/env node
/**
 * The start of the command. It imports the rest only where that can run: an old Node would end with its own stack trace,
 * and with exit code 1, which means that the server does not conform.
 *
 * This file and the one that it imports are read by any version of Node with modules.
 *
 * @module
 */

import { lackOfNode } from './lack-of-node.ts'

const lack = lackOfNode(process.versions.node) || lackOfFolder()
if (lack === undefined)
  import('./run-program.ts')
    .then(({ runProgram }) => runProgram())
    .catch((error: unknown) => {
      console.error(error)
      process.exitCode = 2
    })
else {
  console.error(`record-auth-conformance: ${lack}`)
  process.exitCode = 2
}

/** Whatever is run, Node would end with a stack trace. */
function lackOfFolder(): string | undefined {
  try {
    process.cwd()
    return undefined
  } catch {
    return 'the current folder was deleted\n  next  change to another one, for example with `cd`'
  }
}
