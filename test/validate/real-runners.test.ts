/**
 * The matchers inside a real Jest, and chai and the assertion inside a real node:test: processes of their own, with the
 * library as one file, as the build makes it.
 */

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import { bad, good, path } from './responding-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-runners-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bodies = `
const bodies = ${JSON.stringify({ good, bad })}
const url = 'http://server${path}'
const known = { method: 'GET', url }
const fetched = (kind) => new Response(bodies[kind], { headers: { 'content-type': 'application/json' } })
const plain = (kind) => ({ request: known, response: { status: 200, headers: { 'content-type': 'application/json' }, body: bodies[kind] } })
`

const jest = `
import { conformMatchers } from './validate.mjs'
${bodies}
expect.extend(conformMatchers({ profile: 'standard' }))

test('good: a response of fetch, still unread', async () => {
  const response = fetched('good')
  await expect(response).toConform(known)
  expect((await response.json()).totalItems).toBe(3)
})
test('good: by the other name, at once', () => { expect(plain('good')).toSatisfyApiSpec() })
test('good: negated', async () => { await expect(fetched('bad')).not.toConform(known) })
test('good: with resolves', async () => { await expect(Promise.resolve(fetched('good'))).resolves.toConform(known) })
test('bad: a response of fetch', async () => { await expect(fetched('bad')).toConform(known) })
test('bad: by the other name, at once', () => { expect(plain('bad')).toSatisfyApiSpec() })
test('bad: negated', () => { expect(plain('good')).not.toSatisfyApiSpec() })
`

const node = `
import test from 'node:test'
import * as chai from 'chai'
import { assertConforms, conformChai } from './validate.mjs'
${bodies}
chai.use(conformChai())
const conforms = assertConforms()

test('good: assertion', async () => {
  const response = fetched('good')
  await conforms(response, known)
  if ((await response.json()).totalItems !== 3) throw new Error('read')
  conforms(plain('good'))
})
test('good: chai', async () => {
  await chai.expect(fetched('good')).to.conform(known)
  chai.expect(plain('good')).to.satisfyApiSpec
  chai.expect(plain('bad')).not.to.satisfyApiSpec
  await chai.expect(fetched('bad')).not.to.conform(known)
})
test('bad: assertion', async () => { await conforms(fetched('bad'), known) })
test('bad: chai', async () => { await chai.expect(fetched('bad')).to.conform(known) })
test('bad: chai, at once', () => { chai.expect(plain('bad')).to.satisfyApiSpec })
`

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'validate/validate.ts')],
    outfile: join(folder, 'validate.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  cpSync(join(root, 'validate/generated'), join(folder, 'generated'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(folder, 'jest.config.json'), '{"testMatch":["**/*.jest.mjs"],"transform":{}}')
  writeFileSync(join(folder, 'a.jest.mjs'), jest)
  writeFileSync(join(folder, 'a.node.mjs'), node)
})

function run(args: string[]): Promise<string> {
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, env: userEnvironment() }, (_error, out) => resolve(out)),
  )
}

it('Jest', async () => {
  const output = join(folder, 'jest.json')
  const bin = join(root, 'node_modules/jest/bin/jest.js')
  await run([
    '--experimental-vm-modules',
    bin,
    '--config',
    'jest.config.json',
    '--json',
    '--outputFile',
    output,
  ])
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(results.map(({ title, status }) => `${title.split(':')[0]} ${status}`)).toEqual([
    ...Array(4).fill('good passed'),
    ...Array(3).fill('bad failed'),
  ])
  const [fetched, atOnce, negated] = results.slice(4).map(({ failureMessages }) => failureMessages.join(''))
  for (const message of [fetched, atOnce]) {
    expect(message).toMatch(
      /The response to listRecords does not conform\n {2}fail {2}list\.total-pages {2}MUST/,
    )
    expect(message).toMatch(/at {8}\$\.totalPages\n {4}expected {2}1, .*\n {4}received {2}9/)
  }
  expect(negated).toMatch(/expected the response not to conform, but it does \(listRecords\)/)
}, 60_000)

it('chai and the assertion, in node:test', async () => {
  const out = await run(['--test', '--test-reporter', 'tap', 'a.node.mjs'])
  const results = [...out.matchAll(/^\s*(ok|not ok) \d+ - (good|bad)/gm)].map(
    ([, ok, kind]) => `${kind} ${ok}`,
  )
  expect(results).toEqual(['good ok', 'good ok', 'bad not ok', 'bad not ok', 'bad not ok'])
  expect(out.match(/list\.total-pages {2}MUST/g)?.length).toBeGreaterThanOrEqual(3)
}, 60_000)
