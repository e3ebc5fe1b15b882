/**
 * `prepack`: what npm runs before it packs or publishes the package. Stops it unless `npm run build` has written all of
 * `dist`.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import { lackOfBuild } from './build/lack-of-build.ts'

const lack = lackOfBuild(fileURLToPath(new URL('..', import.meta.url)))
if (lack !== undefined) {
  process.stderr.write(`the package cannot be packed: ${lack}\n  next  run \`npm run build\`\n`)
  process.exitCode = 1
}
