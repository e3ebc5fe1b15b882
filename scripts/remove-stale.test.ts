import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeStale } from './remove-stale.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stale-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
}

/** Files and folders that are left of `dist`. */
async function left(): Promise<string[]> {
  await removeStale(join(root, 'dist'), root)
  return readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).sort()
}

it('removes what the compiler wrote of a source that is gone, and nothing of the others', async () => {
  const outputs = (name: string) => ['js', 'js.map', 'd.ts', 'd.ts.map'].map((ending) => `${name}.${ending}`)
  write('spec/stays.ts', ...[...outputs('spec/stays'), ...outputs('spec/gone')].map((file) => `dist/${file}`))
  expect(await left()).toEqual(['spec', ...outputs('spec/stays')].sort())
})

it('removes folders of which nothing is left', async () => {
  write('suites/a.suite.ts', 'dist/suites/a.suite.js', 'dist/suites/gone/deep/b.suite.js')
  expect(await left()).toEqual(['suites', 'suites/a.suite.js'])
})

it('takes a test beside the code for no source of it', async () => {
  write('spec/gone.test.ts', 'dist/spec/gone.js', 'dist/spec/openapi.json')
  expect(await left()).toEqual(['spec', 'spec/openapi.json'])
})

it('leaves what other steps write for a source that is there, and whatever the compiler writes nowhere', async () => {
  write('serve/console/static/main.js', 'validate/generated/responses.d.ts')
  const others = [
    '.tsbuildinfo',
    'serve/console/static/console.css',
    'serve/console/static/main.js',
    'spec/openapi.json',
    'suites/index.json',
    'validate/generated/explanations.cjs',
    'validate/generated/responses.js',
  ]
  write(
    ...others.map((file) => `dist/${file}`),
    'dist/serve/console/static/gone.js',
    'dist/validate/generated/gone.js',
  )
  expect((await left()).filter((file) => /\.\w+$/.test(file))).toEqual(others)
})

it('clears the bundles away, whose parts have new names with each change', async () => {
  write(
    'validate/validate.ts',
    'dist/validate/validate.js',
    'dist/validate/bundle.js',
    'dist/bundle/chunk-AB12.js',
  )
  expect(await left()).toEqual(['validate', 'validate/validate.js'])
})
