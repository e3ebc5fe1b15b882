/**
 * `runConformance` of what is built. Its worker threads start in a fifth of the time that workers of the sources take,
 * which are compiled as they are loaded.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'

type Run = typeof import('../../harness/run.ts')

const built = fileURLToPath(new URL('../../dist/harness/run.js', import.meta.url))

export const { runConformance }: Run = await import(built)
