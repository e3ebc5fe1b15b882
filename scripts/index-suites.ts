/**
 * Step of `npm run build`: notes which checks there are, and in which suite file. Whoever plans a run then loads none of
 * them; the workers load what they run.
 *
 * @module
 */

import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listChecks } from '../harness/suites.ts'

// This module runs as dist/scripts/index-suites.js.
const index = fileURLToPath(new URL('../suites/index.json', import.meta.url))

// What an earlier build has noted is not asked.
await rm(index, { force: true })
await writeFile(index, `${JSON.stringify(await listChecks())}\n`)
