/**
 * Recorded traffic of every kind, through the command.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { readTraffic } from '../../validate/traffic/read-traffic.ts'
import { exchange, page, refused } from './exchanges.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-validate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const good = JSON.stringify(page())
const bad = JSON.stringify(page({ totalPages: 9 }))
const path = '/api/v1/collections/notes/records'

function har(...bodies: { text?: string; encoding?: string }[]) {
  return JSON.stringify({
    log: {
      entries: bodies.map((content) => ({
        request: { method: 'GET', url: `http://x${path}`, headers: [] },
        response: {
          status: 200,
          headers: [
            { name: 'Content-Type', value: 'application/json' },
            { name: 'content-encoding', value: 'br' },
          ],
          content: { size: 1, mimeType: 'application/json', ...content },
        },
      })),
    },
  })
}

const ndjson = `${JSON.stringify(exchange(page()))}\n\n${JSON.stringify(exchange(page({ totalPages: 9 })))}\n`
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n'
const dump = `HTTP/1.1 100 Continue\r\n\r\n${head}${bad}\n`
const verbose = `* Connected\n> GET ${path} HTTP/1.1\n> Host: x\n> \n< ${head.replaceAll('\r\n', '\r\n< ').slice(0, -2)}${bad}\n`

describe('reads', () => {
  const statuses = (content: string, known = {}) =>
    [...readTraffic(content, known)].map(({ number, exchange: { request, response } }) => [
      number,
      request.method,
      response.status,
    ])

  it.each<[string, string, unknown]>([
    [
      'HAR',
      har({ text: good }, { text: Buffer.from(bad).toString('base64'), encoding: 'base64' }),
      [
        [1, 'GET', 200],
        [2, 'GET', 200],
      ],
    ],
    ['HAR without bodies', har({}), []],
    [
      'NDJSON',
      ndjson,
      [
        [1, 'GET', 200],
        [3, 'GET', 200],
      ],
    ],
    ['a list of exchanges', `[${JSON.stringify(exchange(page()))}]`, [[1, 'GET', 200]]],
    ['one exchange', JSON.stringify(exchange(refused, { status: 400 })), [[1, 'GET', 400]]],
    ['output of curl -v', verbose, [[1, 'GET', 200]]],
    ['nothing', ' \n', []],
  ])('%s', (_name, content, expected) => {
    expect(statuses(content)).toEqual(expected)
  })

  it('output of curl -i, once it knows the request', () => {
    expect(statuses(dump, { method: 'GET', url: path })).toEqual([[1, 'GET', 200]])
    expect([...readTraffic(dump, { method: 'GET', url: path })][0]?.exchange.response.body).toBe(bad)
    expect(() => statuses(dump)).toThrow(/--request/)
  })

  it('says where it stops to understand', () => {
    expect(() => statuses(`${JSON.stringify(exchange(page()))}\nnonsense`)).toThrow(/line 2/)
    expect(() => statuses('{"request":{}}')).toThrow(/entry 1 .* request\.url/)
  })
})

describe('the command', () => {
  function conformance(args: string[], input = ''): Promise<{ code: number; out: string; err: string }> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ['--import', 'tsx', join(root, 'cli/main.ts'), 'validate', ...args],
        { cwd: root, env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' } },
        (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      )
      child.stdin?.end(input)
    })
  }
  function file(name: string, content: string): string {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  it('exits 1 for findings and tells them', async () => {
    const { code, out } = await conformance([
      file('a.har', har({ text: good }, { text: bad })),
      file('b.ndjson', ndjson),
    ])
    expect(out).toMatch(
      /a\.har:2 {2}GET http:\/\/x\/api\/v1\/collections\/notes\/records 200\n {2}fail {2}list\.total-pages/,
    )
    expect(out).toMatch(/4 of 4 exchanges are the interface's: 2 conform, 2 do not/)
    expect(code).toBe(1)
  }, 30_000)

  it('exits 0 when all conforms, reads stdin, and writes JSON when asked', async () => {
    const { code, out } = await conformance(['-', '--json'], JSON.stringify(exchange(page())))
    expect(JSON.parse(out)).toMatchObject({
      place: 'stdin:1',
      ok: true,
      operation: 'listRecords',
      findings: [],
    })
    expect(code).toBe(0)
  }, 30_000)

  it('exits 3 when nothing was judged, 2 for what cannot be read', async () => {
    expect((await conformance([file('c.ndjson', JSON.stringify(exchange({}, { url: '/x' })))])).code).toBe(3)
    expect((await conformance([join(folder, 'nowhere')])).code).toBe(2)
    expect((await conformance([file('d.txt', 'hello')])).code).toBe(2)
    expect((await conformance(['-', '--fail-under', 'all'])).code).toBe(2)
  }, 60_000)

  it('takes a dump with its request, tables, and a floor for coverage', async () => {
    const tables = file(
      'tables.json',
      JSON.stringify([{ name: 'notes', fields: [{ type: 'text', name: 'body' }] }]),
    )
    const seen = join(folder, 'coverage.json')
    const args = [file('e.txt', dump.replace(bad, good)), '--request', `GET ${path}`]
    const fields = await conformance([...args, '--tables', tables])
    expect([fields.code, fields.out]).toEqual([1, expect.stringMatching(/record\.table-fields/)])
    const low = await conformance([...args, '--fail-under', 'operations=50', '--coverage', seen])
    expect([low.code, low.out]).toEqual([1, expect.stringMatching(/not enough: operations: 1 of 19/)])
    const enough = await conformance([...args, '--fail-under', '0.5', '--coverage', seen])
    expect(enough.code).toBe(0)
    expect(JSON.parse(readFileSync(seen, 'utf8')).counts).toEqual({ listRecords: { 200: 2 } })
  }, 60_000)
})
