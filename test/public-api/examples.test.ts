/** The examples in the doc comments of the functions that users import, compiled with the declarations that users get. */

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entries } from '../../scripts/entries.ts'
import { compile } from '../support/compile.ts'
import { readSurface } from './read-surface.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The entries of the package are those that are built. */
const exampleOptions = {
  paths: Object.fromEntries(
    entries.map(({ name, source }) => [name, [`${root}dist/${source.replace(/\.ts$/, '.d.ts')}`]]),
  ),
  skipLibCheck: true,
  noEmit: true,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doc-examples-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('every function that users import has an example that compiles', async () => {
  const functions = readSurface().flatMap(({ exports }) => exports.filter(({ isFunction }) => isFunction))
  expect(functions.length).toBeGreaterThan(20)
  expect(functions.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])

  for (const { name, example = '' } of functions)
    await writeFile(join(folder, `${name}.ts`), example.replace(/^```ts\n|\n?```\s*$/g, ''))
  const files = functions.map(({ name }) => `${name}.ts`)
  expect(await compile(folder, files, exampleOptions)).toBe('')
}, 120_000)
