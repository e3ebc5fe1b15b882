/**
 * Step of `npm run build`: notes which checks there are, and in which suite file. Whoever plans a run then loads none of
 * them; the workers load what they run.
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listChecks } from '../harness/suites.ts'

// This module runs as dist/scripts/index-suites.js.
const built = fileURLToPath(new URL('../suites/', import.meta.url))
const sources = fileURLToPath(new URL('../../suites/', import.meta.url))
const index = `${built}index.json`

// What an earlier build has noted is not asked, nor what it left of files that have gone since.
await rm(index, { force: true })
for (const file of await readdir(built, { recursive: true })) {
  if (file.endsWith('.suite.js') && !existsSync(sources + file.replace(/js$/, 'ts'))) await rm(built + file)
}
await writeFile(index, `${JSON.stringify(await listChecks())}\n`)
