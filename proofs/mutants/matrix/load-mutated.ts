/**
 * Module hooks of a process that loads the reference with a mutant's changes. Files on disk stay as they are.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'
import type { InitializeHook, LoadHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import type { SourceChange } from '../mutant.ts'
import { mutated } from './mutated.ts'

const root = new URL('../../../', import.meta.url)
let changes: readonly SourceChange[] = []

export const initialize: InitializeHook<readonly SourceChange[]> = (all) => {
  changes = all
}

export const load: LoadHook = async (url, context, next) => {
  const [address] = url.split('?')
  const own = changes.filter(({ file }) => new URL(file, root).href === address)
  if (own.length === 0) return next(url, context)
  const source = mutated(await readFile(fileURLToPath(url), 'utf8'), own)
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20' })
  return { format: 'module', source: code, shortCircuit: true }
}
