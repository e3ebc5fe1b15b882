/**
 * `npm run build`: writes all of `dist`, which is what the package contains. What an earlier build wrote goes first.
 *
 * The compiler runs before it and leaves the declarations in `.cache/declarations`.
 *
 * @module
 */

import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listChecks } from '../../harness/planning/suites.ts'
import { writeValidators } from '../compile-validators.ts'
import { bundle } from './bundle.ts'
import { copyDeclarations } from './copy-declarations.ts'
import { listBuilt, startBuilt } from './lack-of-build.ts'
import { writeLicenses } from './write-licenses.ts'
import { writeSpec } from './write-spec.ts'

const root = new URL('../../', import.meta.url)
const dist = new URL('dist/', root)

startBuilt(fileURLToPath(root))
await rm(dist, { recursive: true, force: true })
await writeValidators()
await Promise.all([
  writeSpec(root, dist),
  copyDeclarations(new URL('.cache/declarations/', root), dist),
  bundle(root, dist).then((libraries) => writeLicenses(root, libraries, dist)),
])
// A run is planned from this list of the checks and their suite files, and its workers load only the suites that they
// run.
await writeFile(new URL('suites/index.json', dist), `${JSON.stringify(await listChecks())}\n`)
listBuilt(fileURLToPath(root))
