import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hasNewer } from './build-first.ts'

const lastBuild = Date.now() - 60_000
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'newer-'))
  mkdirSync(join(folder, 'deep'))
  for (const file of ['deep/a.ts', 'deep/b.ts', 'deep/a.test.ts']) writeFileSync(join(folder, file), '')
  for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    utimesSync(join(folder, path), 0, 0)
})
afterEach(() => rmSync(folder, { recursive: true }))

it('builds nothing if nothing has changed, or only a test', () => {
  writeFileSync(join(folder, 'deep/a.test.ts'), 'changed')
  expect(hasNewer(folder, lastBuild)).toBe(false)
})

it('builds where a source has changed', () => {
  writeFileSync(join(folder, 'deep/a.ts'), 'changed')
  expect(hasNewer(folder, lastBuild)).toBe(true)
})

it('builds where a source was deleted', () => {
  rmSync(join(folder, 'deep/b.ts'))
  expect(hasNewer(folder, lastBuild)).toBe(true)
})

it('builds where a folder was deleted', () => {
  rmSync(join(folder, 'deep'), { recursive: true })
  expect(hasNewer(folder, lastBuild)).toBe(true)
})
