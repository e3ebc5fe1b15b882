import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { forumTables } from '../test/support/forum-tables.ts'
import { withReference } from './vitest.ts'

let prepared = 0
const test = withReference({ tables: forumTables, seed: 3 }, async (reference) => {
  prepared += 1
  await reference.make('members', 2)
})

describe.concurrent('every test has its own fork', () => {
  test.for(Array.from({ length: 50 }, (_, at) => at))('test %i', async (at, { reference }) => {
    const [author] = await reference.records.list('members')
    for (let turn = 0; turn < 3; turn++) {
      await reference.make('posts', at + 1, { author, title: `of ${at}` })
      await new Promise((resolve) => setTimeout(resolve, at % 7))
    }
    const titles = new Set((await reference.records.list('posts')).map(({ title }) => title))
    const response = await reference.fetch('/api/v1/collections/posts/records?perPage=1')
    expect([...titles]).toEqual([`of ${at}`])
    expect(await response.json()).toMatchObject({ totalItems: 3 * (at + 1) })
    expect([reference.records.count('members'), reference.requests.length, prepared]).toEqual([2, 1, 1])
  })
})

const failing = `
import { withReference } from ${JSON.stringify(fileURLToPath(new URL('vitest.ts', import.meta.url)))}

const posts = { name: 'posts', listRule: '@request.auth.id != ""', fields: [] }
const test = withReference({ tables: [posts] })
let attempt = 0

test('asserts', async ({ reference, expect }) => {
  const { status } = await reference.fetch('/api/v1/collections/postz/records')
  expect(status).toBe(200)
})
test('throws', { retry: 1 }, async ({ reference }) => {
  await reference.fetch('/api/v1/collections/post/records?attempt=' + ++attempt)
  throw new Error('Two $& lines,\\nas they are')
})
test('sends nothing', () => {
  throw new Error('alone')
})
test('passes', async ({ reference }) => {
  await reference.fetch('/api/v1/collections/none/records')
})
`

interface JsonReport {
  testResults: { assertionResults: { title: string; failureMessages: string[] }[] }[]
}

it('the error of a failed test ends with the last requests, in every reporter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'with-reference-'))
  try {
    await writeFile(join(folder, 'failing.test.ts'), failing)
    const flags = [
      '--reporter=json',
      '--reporter=junit',
      '--outputFile.json=r.json',
      '--outputFile.junit=r.xml',
    ]
    const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
    const code = await new Promise((resolve) => {
      execFile(process.execPath, [vitest, 'run', '--root', folder, ...flags], { cwd: folder }, (error) =>
        resolve(error?.code),
      )
    })
    const report = JSON.parse(await readFile(join(folder, 'r.json'), 'utf8')) as JsonReport
    const [asserts, throws, nothing, passes] = report.testResults[0]?.assertionResults ?? []
    const last = (name: string) =>
      `\n\nThe last requests:\n  GET /collections/${name}/records 404\n    There is no table "${name}". Did you mean "posts"? Available: posts.\n    at `
    expect(code).toBe(1)
    expect(asserts?.failureMessages[0]).toContain(`// Object.is equality${last('postz')}`)
    expect(throws?.failureMessages).toHaveLength(2)
    for (const message of throws?.failureMessages ?? []) {
      expect(message).toContain(`Two $& lines,\nas they are${last('post')}`)
      expect(message.split('The last requests:')).toHaveLength(2)
    }
    expect(nothing?.failureMessages[0]).not.toContain('The last requests')
    expect(passes?.failureMessages).toEqual([])
    const junit = await readFile(join(folder, 'r.xml'), 'utf8')
    expect(junit).toMatch(/<failure message="expected 404 to be 200[^>]*There is no table &quot;postz&quot;/)
  } finally {
    await rm(folder, { recursive: true })
  }
}, 60_000)
