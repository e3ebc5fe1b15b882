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

const lack = lackOfNode(process.versions.node)
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
