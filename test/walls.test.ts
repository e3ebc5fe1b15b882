/** The rules of the house that no type can say: who may import whom, and what stands where. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(root)
  .filter((name) => !name.startsWith('.') && !['node_modules', 'dist'].includes(name))
  .flatMap((name) =>
    statSync(join(root, name)).isDirectory()
      ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
      : [name],
  )
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .sort()
const sources = files.filter((file) => !file.endsWith('.test.ts'))

/** Files of the project that a file imports, type imports included. */
function imported(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'))
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)))
}

const within = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

describe('imports', () => {
  it.each<[string, string[]]>([
    [
      'spec',
      [
        'suites',
        'harness',
        'reference',
        'validate',
        'cli',
        'serve',
        'faults',
        'liars',
        'variations',
        'services',
        'integration',
      ],
    ],
    [
      'suites',
      ['reference', 'faults', 'liars', 'variations', 'cli', 'serve', 'console', 'targets', 'services'],
    ],
    [
      'reference',
      [
        'suites',
        'harness',
        'faults',
        'liars',
        'variations',
        'cli',
        'serve',
        'console',
        'validate',
        'services',
        'targets',
      ],
    ],
    [
      'validate',
      ['suites', 'reference', 'faults', 'liars', 'variations', 'cli', 'serve', 'services', 'targets'],
    ],
    [
      'harness',
      ['suites/records', 'cli', 'serve', 'console', 'faults', 'liars', 'variations', 'integration'],
    ],
    ['services', ['suites', 'reference', 'cli', 'serve', 'faults', 'liars', 'variations', 'validate']],
  ])('of %s reach none of %j', (folder, forbidden) => {
    const own = sources.filter(within(folder))
    expect(own.length).toBeGreaterThan(0)
    const broken = own.flatMap((file) =>
      imported(file)
        .filter((name) => forbidden.some((other) => within(other)(name)))
        .map((name) => `${file} imports ${name}`),
    )
    expect(broken).toEqual([])
  })
})

it('the fuzzer sees of the reference and the validator what users see', () => {
  const allowed = ['reference/reference.ts', 'validate/validate.ts', ...['fuzz', 'spec', 'suites/oracle']]
  const outside = (name: string) => !allowed.some((each) => name === each || within(each)(name))
  const fuzzer = sources.filter(within('fuzz'))
  expect(fuzzer.length).toBeGreaterThan(20)
  expect(fuzzer.flatMap((file) => imported(file).filter(outside))).toEqual([])
  expect(sources.filter((file) => !within('fuzz')(file) && imported(file).some(within('fuzz')))).toEqual([])
})

describe('words', () => {
  it('no vendor’s name stands in suites, harness and spec', () => {
    const named = files
      .filter((file) => ['suites', 'harness', 'spec'].some((folder) => within(folder)(file)))
      .filter((file) => /pocketbase/i.test(readFileSync(join(root, file), 'utf8')))
    expect(named).toEqual([])
  })

  it('the reference reads time and chance in two places only', () => {
    const readers = sources
      .filter(within('reference'))
      .filter((file) =>
        /\b(Date\.now|Math\.random|randomBytes|randomUUID|randomInt|getRandomValues|performance\.now|new Date\(\))/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      )
    expect(readers).toEqual(['reference/environment.ts', 'reference/timers.ts'])
  })

  it('tests draw their examples from one seed', () => {
    const asking = files.filter((file) => /\bfc\.assert\(/.test(readFileSync(join(root, file), 'utf8')))
    expect(asking.length).toBeGreaterThan(5)
    const seeded = (file: string) => imported(file).includes('test/support/seeded.ts')
    // Comparing with the living server takes a seed from who asks for it.
    expect(asking.filter((file) => !seeded(file))).toEqual(['test/living/same-answers.living.ts'])
  })

  it('nothing is exported as default but the configuration of a tool that asks for it', () => {
    const defaults = files.filter((file) => /^export default/m.test(readFileSync(join(root, file), 'utf8')))
    expect(defaults.filter((file) => !/vitest[\w.]*\.config\.ts$/.test(file))).toEqual([])
  })
})
