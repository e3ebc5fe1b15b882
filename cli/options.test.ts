/**
 * Options that change how a run goes or what it shows: each would fail here if it did nothing.
 */

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { createReference } from '../reference/reference.ts'
import { tableDefinitions } from '../spec/tables.ts'
import { conformance as runCommand } from '../test/support/run-here.ts'

const reference = createReference({ tables: tableDefinitions() })
let front: Server
let base = ''

/** The reference, in the way that the header `x-way` requests. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const way = request.headers['x-way']
  // The client gives up.
  if (way === 'silent') return
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { authorization, 'content-type': type } = request.headers
  const given = await reference.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    }),
  )
  const text = await given.text()
  const named = way === 'renamed' ? text.replaceAll(/"(?:collectionName|created)":/g, '$&0,"was":') : text
  const json = way === 'untyped' ? 'text/plain' : 'application/json'
  response.writeHead(given.status, text === '' ? {} : { 'content-type': json }).end(named)
}

beforeAll(async () => {
  // A client that gives up breaks off its request.
  front = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  base = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
})
afterAll(() => {
  front.closeAllConnections()
  front.close()
})

const conformance = (args: string[], env: Record<string, string> = {}) =>
  runCommand(['--seed', '7', ...args], { env })

const on = (way: string, ...args: string[]) => ['--base-url', base, '--header', `x-way:${way}`, ...args]

it('--strict fails a run with a broken SHOULD, also in the report for CI', async () => {
  const args = on('untyped', '--only', 'wire.json-media-type', '--report', 'junit=-')
  const [without, strict] = await Promise.all([conformance(args), conformance([...args, '--strict'])])
  expect([without.code, strict.code]).toEqual([0, 1])
  const failures = [without, strict].map(({ out }) => /<testsuites[^>]* failures="(\d+)"/.exec(out)?.[1])
  expect(failures).toEqual(['0', '1'])
}, 120_000)

it('--bail stops after the first failure', async () => {
  const args = on('renamed', '--only', 'record.collection-name,record.created*', '--report', 'json=-')
  const failed = async (...more: string[]) => {
    const { findings } = JSON.parse((await conformance([...args, ...more])).out) as RunReport
    return findings.filter(({ status }) => status === 'fail').length
  }
  const [without, bailing] = await Promise.all([failed(), failed('--bail')])
  expect(without).toBeGreaterThan(1)
  expect(bailing).toBe(1)
}, 120_000)

it('--timeout ends the wait for a response', async () => {
  const { code, err } = await conformance(on('silent', '--timeout', '300', '--only', 'record.id'))
  expect(err).toMatch(/no complete response from the target within 300 ms[\s\S]*\n {2}at [\s\S]*\n {2}next /)
  expect(code).toBe(2)
}, 60_000)

it('--list prints what would be checked, and sends no request', async () => {
  const { code, out } = await runCommand([
    '--base-url',
    'http://127.0.0.1:9',
    '--only',
    'record.id',
    '--list',
  ])
  expect(out).toMatch(/^record\.id +MUST +stated .*\n$/)
  expect(code).toBe(0)
}, 60_000)

describe('--list of a target file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const list = (text: string | undefined, ...more: string[]) => {
    const file = join(folder, 'listed.yaml')
    if (text === undefined) rmSync(file, { force: true })
    else writeFileSync(file, `baseUrl: http://127.0.0.1:9\n${text}\n`)
    return runCommand(['--target', file, '--list', ...more])
  }

  it.each<[string, string | undefined, RegExp]>([
    ['that is not there', undefined, /the target file cannot be read \(ENOENT\)/],
    ['with a mistake', 'tabels: {}', /unknown key "tabels"/],
    ['about no requirement', 'notApplicable: { no.such: because }', /"no\.such" matches no requirement/],
  ])('exits with 2 for a file %s', async (_, text, message) => {
    const { code, out, err } = await list(text)
    expect(err).toMatch(message)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('leaves out what the file declares absent', async () => {
    const { code, out, err } = await list(
      'operations: { viewRecord: false }\ncapabilities: { otp: false }',
      '--only',
      'view.record,list.shape,otp.sign-in',
    )
    expect(out).toMatch(/^list\.shape .*\n$/)
    expect(err).toBe('2 requirements left out: the target file declares absent what they need\n')
    expect(code).toBe(0)
  })
})

it.each([
  [['--list'], /--skip leaves out everything that --only selects/],
  [['--base-url', 'http://127.0.0.1:9'], /--skip leaves out everything that --only selects/],
])('a selection of nothing is a mistake before the first request: %j', async (args, message) => {
  const { code, err } = await runCommand([...args, '--only', 'view.*', '--skip', 'view.*'])
  expect(err).toMatch(message)
  expect(code).toBe(2)
})

it.each<[string, string]>([
  ['--no-color', '\u001b['],
  ['--quiet', 'SHOULD, implied'],
])(
  '%s leaves out what is shown without it',
  async (option, words) => {
    const args = on('untyped', '--only', 'wire.json-media-type')
    const colors = { FORCE_COLOR: '1', NO_COLOR: '' }
    const [without, { out }] = await Promise.all([
      conformance(args, colors),
      conformance([...args, option], colors),
    ])
    expect(without.out).toContain(words)
    expect(out).toContain('wire.json-media-type')
    expect(out).not.toContain(words)
  },
  120_000,
)

it('--verbose shows what passed', async () => {
  const args = on('plain', '--only', 'wire.json-media-type')
  const shown = /passed\n.*wire\.json-media-type/
  const [without, verbose] = await Promise.all([conformance(args), conformance([...args, '--verbose'])])
  expect(without.out).not.toMatch(shown)
  expect(verbose.out).toMatch(shown)
}, 120_000)
