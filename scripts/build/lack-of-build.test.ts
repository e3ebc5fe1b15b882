import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lackOfBuild, listBuilt, startBuilt } from './lack-of-build.ts'

let root = ''
const files = ['dist/cli/main.js', 'dist/chunks/a.js', 'dist/chunks/b.js', 'dist/spec/gaps.json']

beforeEach(() => {
  root = `${mkdtempSync(join(tmpdir(), 'lack-of-build-'))}/`
  mkdirSync(join(root, '.cache'))
})
afterEach(() => rmSync(root, { recursive: true }))

function build(): void {
  startBuilt(root)
  for (const folder of ['cli', 'chunks', 'spec']) mkdirSync(join(root, 'dist', folder), { recursive: true })
  for (const file of files) writeFileSync(join(root, file), '')
}

it('finds nothing missing in a whole build', () => {
  build()
  listBuilt(root)
  expect(lackOfBuild(root)).toBeUndefined()
})

it('says that nothing is built', () => {
  expect(lackOfBuild(root)).toBe('nothing is built')
})

it('does not mistake the list of an earlier build for the list of one that was stopped', () => {
  build()
  listBuilt(root)
  build()
  expect(lackOfBuild(root)).toBe('the build did not finish')
})

it('names what is missing', () => {
  build()
  listBuilt(root)
  rmSync(join(root, 'dist/cli'), { recursive: true })
  expect(lackOfBuild(root)).toBe('1 of 4 files of the build are missing: dist/cli/main.js')
  rmSync(join(root, 'dist'), { recursive: true })
  expect(lackOfBuild(root)).toBe(
    '4 of 4 files of the build are missing: dist/chunks/a.js, dist/chunks/b.js, dist/cli/main.js and 1 more',
  )
})
