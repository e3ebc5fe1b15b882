/**
 * `npm run build`: writes all of `dist`, which is what the package contains. What an earlier build wrote goes first.
 *
 * The compiler runs before it and leaves the declarations in `.cache/declarations`.
 *
 * @module
 */

import { rm } from 'node:fs/promises'
import { writeValidators } from '../compile-validators.ts'
import { bundle } from './bundle.ts'
import { copyDeclarations } from './copy-declarations.ts'
import { indexSuites } from './index-suites.ts'
import { writeLicenses } from './write-licenses.ts'
import { writeSpec } from './write-spec.ts'

const root = new URL('../../', import.meta.url)
const dist = new URL('dist/', root)

await rm(dist, { recursive: true, force: true })
await writeValidators()
await Promise.all([
  writeSpec(root, dist),
  copyDeclarations(new URL('.cache/declarations/', root), dist),
  bundle(root, dist).then((libraries) => writeLicenses(root, libraries, dist)),
])
// Last: `test/support/build-first.ts` takes a build without it for an unfinished one.
await indexSuites(dist)
