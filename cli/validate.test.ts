/**
 * `conformance validate`: what it prints, and what it ends with. As a process: test/validate/validate-command.test.ts.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { commandInProcess } from '../test/support/command-in-process.ts'
import { page, plainExchange } from '../test/validate/exchanges.ts'
import { defaultLimit } from '../validate/reading/kept-body.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-validate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isReport = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(root, 'spec/report.schema.json'), 'utf8')),
)
const path = '/api/v1/collections/notes/records'
const good = JSON.stringify(plainExchange(page()))
const bad = JSON.stringify(plainExchange(page({ totalPages: 9 })))
const unrecorded = JSON.stringify({ ...plainExchange(undefined), unjudged: 'the recording has no body' })
const dump = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(page())}\n`

const validate = (args: string[], input: string | Buffer = '', env: Record<string, string> = {}) =>
  commandInProcess(['validate', ...args], { input, env: { GITHUB_ACTIONS: '', ...env } })

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

it('shows what a server writes to steer a terminal instead of doing it', async () => {
  const odd = 'no json \u001b]0;pwned\u0007\u001b[2J\u009b1m\u202e'
  const entry = plainExchange(page())
  const typed = { ...entry, response: { ...entry.response, headers: { 'content-type': odd } } }
  const bodied = { ...entry, response: { ...entry.response, body: odd } }
  const { out } = await validate([
    file('esc.ndjson', `${JSON.stringify(typed)}\n${JSON.stringify(bodied)}\n`),
  ])
  expect(out).toContain('no json \\x1b]0;pwned\\x07\\x1b[2J\\x9b1m\\u202e')
  expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
}, 120_000)

it('writes the reports of a run about what it validated, and annotations in a GitHub job', async () => {
  const [junit, json, html] = ['junit.xml', 'report.json', 'report.html'].map((name) => join(folder, name))
  const orders = ['--report', `junit=${junit}`, '--report', `json=${json}`, '--report', `html=${html}`]
  const { code, out } = await validate([...orders, '-'], `${good}\n${bad}\nbroken\n`, {
    GITHUB_ACTIONS: 'true',
  })
  expect(code).toBe(2)
  expect(out).toMatch(/^::error title=conformance%3A list\.total-pages .*::1 exchange breaks it/m)
  const report: RunReport = JSON.parse(readFileSync(json ?? '', 'utf8'))
  expect(isReport(report), JSON.stringify(isReport.errors)).toBe(true)
  expect(report.traffic).toEqual({ exchanges: 2, matched: 2, broken: 1, unjudged: 0 })
  expect([report.verdict.outcome, report.target.profile]).toEqual(['error', undefined])
  expect(report.findings.find(({ requirement }) => requirement === 'list.total-pages')).toMatchObject({
    status: 'fail',
    message: `1 exchange breaks it: stdin:2 GET ${path} 200 at $.totalPages`,
    received: '9',
  })
  expect(report.findings.filter(({ status }) => status === 'pass').length).toBeGreaterThan(5)
  const suites = readFileSync(junit ?? '', 'utf8')
  expect(suites).toMatch(/<testcase name="list\.total-pages"[\s\S]*?<failure message="1 exchange breaks it/)
  expect(suites).toMatch(/<testcase name="stdin" classname="could not be read">\s+<error message="line 3/)
  expect(readFileSync(html ?? '', 'utf8')).toContain('2 exchanges')
}, 60_000)

it('fails the JUnit report where only the coverage is too low', async () => {
  const { code, out, err } = await validate(
    ['-', '--report', 'junit=-', '--fail-under', 'operations=50'],
    good,
  )
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/^<\?xml[\s\S]*<failure message="below the coverage/),
  ])
  expect(err).toContain('1 of 1 exchange matches an operation')
}, 60_000)

it.each<[string, string[]]>([
  ['a report in a folder that does not exist', ['--report', 'json=/nowhere/at/all.json']],
  ['results and a report on stdout', ['--json', '--report', 'json=-']],
])(
  'exits 2 for %s',
  async (_name, args) => {
    expect((await validate(['-', ...args], good)).code).toBe(2)
  },
  60_000,
)

it('names requests under the prefix that match no operation, and what was meant', async () => {
  const to = (url: string, method = 'GET') => JSON.stringify(plainExchange({}, { url, method }))
  const urls = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `/api/v1/${name}?token=x`)
  const typo = 'http://127.0.0.1:8090/api/v1/colections/notes/records?page=2'
  const lines = [good, to(typo), to(typo), to(`${path}/a/b`, 'PUT'), to('/x'), ...urls.map((url) => to(url))]
  const { code, out } = await validate(['-'], lines.join('\n'))
  expect(code).toBe(0)
  expect(out.split('\n').slice(0, 7)).toEqual([
    'under /api/v1, but no operation (not validated):',
    '  GET /api/v1/colections/notes/records (did you mean "/api/v1/collections/notes/records"?)',
    '  PUT /api/v1/collections/notes/records/a/b',
    '  GET /api/v1/b',
    '  GET /api/v1/c',
    '  GET /api/v1/d',
    '  and 3 more',
  ])
}, 60_000)

it('does not list preflights, nor what servers offer next to the interface', async () => {
  const to = (url: string, method = 'GET') => JSON.stringify(plainExchange({}, { url, method }))
  const lines = [good, to(path, 'OPTIONS'), to('/api/v1/realtime', 'POST'), to('/api/v1/files/token', 'POST')]
  const { out } = await validate(['-'], [...lines, to('/api/v1/b')].join('\n'))
  expect(out.split('\n').slice(0, 3)).toEqual([
    'under /api/v1, but no operation (not validated):',
    '  GET /api/v1/b',
    '  not listed: 3 requests (preflights, files, health or realtime)',
  ])
})

it('says that a method is not one of the interface', async () => {
  const { code, out } = await validate(['-', '--request', `FETCH ${path}`], dump)
  expect([code, out]).toEqual([
    3,
    expect.stringMatching(
      /\nnothing was validated: FETCH is not a method of the interface \(GET, POST, .*\)\n$/,
    ),
  ])
  const options = await validate(['-', '--request', `OPTIONS ${path}`], dump)
  expect(options.out).toContain('nothing was validated: no request under /api/v1 matches an operation')
})

it('says that all exchanges are of other hosts, or of none', async () => {
  const to = (url: string) => JSON.stringify(plainExchange(page(), { url: url + path }))
  const one = await validate(['-', '--host', 'y'], to('http://x'))
  expect([one.code, one.out]).toEqual([
    3,
    'nothing was validated: the only exchange is of another host: x (1); use --host x, or omit --host\n',
  ])
  const many = await validate(
    ['-', '--host', 'y'],
    [to('http://z'), to('http://x'), to('http://x'), to('')].join('\n'),
  )
  expect(many.out).toBe(
    'nothing was validated: all 4 exchanges are of other hosts: x (2), z (1); 1 exchange has no host; use --host x, or omit --host\n',
  )
  const none = await validate(['-', '--host', 'y'], to(''))
  expect(none.out).toBe('nothing was validated: 1 exchange has no host; omit --host\n')
  const some = await validate(['-', '--host', 'x'], `${to('http://x')}\n${to('')}`)
  expect(some.out).toBe(
    'left out, because of --host: 1 exchange has no host\n1 of 1 exchange matches an operation: 1 conform, 0 do not\n',
  )
})

it('says how many findings it does not show', async () => {
  const { out } = await validate(['-', '--most', '0'], bad)
  expect(out).toContain('… and 1 more finding (--most shows more)\n')
  expect((await validate(['-', '--most', '1'], `${bad}\n${bad}\n${bad}`)).out).toContain(
    '… and 2 more findings (--most',
  )
})

it('says how many responses differ from a profile that is not claimed', async () => {
  const batch = { method: 'POST', url: '/api/v1/batch', sent: { requests: [] } }
  const odd = JSON.stringify(plainExchange({ results: [] }, batch))
  const { code, out } = await validate(['-'], `${odd}\n${good}\n`)
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      '1 response differs from the standard profile where the document does not say (not counted); use --profile standard to see it',
    ),
  ])
  const claimed = await validate(['-', '--profile', 'standard'], odd)
  expect([claimed.code, claimed.out]).toEqual([1, expect.not.stringContaining('not counted')])
})

it('is incomplete for responses of a cache alone', async () => {
  const { code, out } = await validate(
    ['-', '--profile', 'standard'],
    JSON.stringify(plainExchange(undefined, { status: 304 })),
  )
  expect([code, out]).toEqual([3, expect.stringMatching(/not validated: 304: [\s\S]*nothing was validated/)])
})

describe('a HAR', () => {
  const entry = (url: string, status = 200, content: object = { text: JSON.stringify(page()) }) => ({
    request: { method: 'GET', url, headers: [] },
    response: { status, headers: [], content: { mimeType: 'application/json', ...content } },
  })
  const har = (...entries: unknown[]) => JSON.stringify({ log: { entries } })

  it.each<[string, string[], number, string]>([
    ['one of two', [path, path], 0, '1 of 1 exchange matches an operation: 1 conform, 0 do not'],
    ['the only one', [path], 3, 'nothing was validated: no request got a response'],
  ])('names an aborted request: %s', async (_name, urls, expected, words) => {
    for (const first of [entry(path, 0), { request: { method: 'GET', url: path } }]) {
      const { code, out } = await validate(['-'], har(first, ...urls.slice(1).map((url) => entry(url))))
      expect([code, out]).toEqual([expected, expect.stringContaining('1 aborted request skipped\n')])
      expect(out).toContain(words)
    }
  })

  it.each<[object, string]>([
    [{ request: null, response: null }, 'entry 1 has no request'],
    [{}, 'entry 1 has no request'],
    [{ request: {}, response: { status: 200 } }, 'entry 1 has no request.url'],
  ])('with the entry %j cannot be read whole', async (odd, words) => {
    const { code, out, err } = await validate(['-'], har(odd, entry(path)))
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
    expect(out).toContain('1 conform, 0 do not')
  })

  it('is validated for one host, or says that it has several', async () => {
    const traffic = har(
      entry(`http://a.example${path}`),
      entry(`http://b.example:81${path}`, 500),
      entry(`http://b.example:81${path}`, 0),
    )
    const all = await validate(['-'], traffic)
    expect(all.out).toContain('of 2 hosts: a.example (1), b.example:81 (1); select one with --host')
    for (const name of ['a.example', 'http://A.example/']) {
      const one = await validate(['-', '--host', name], traffic)
      expect(one.out).toContain('left out, because of --host: b.example:81 (2)\n1 of 1 exchange matches')
    }
    for (const name of ['b.example', 'b.example:81', 'http://b.example:81'])
      expect((await validate(['-', '--host', name], traffic)).out).toMatch(/1 aborted .*\n1 of 1 exchange/)
    expect((await validate(['-', '--host', 'http://a.example/api'], traffic)).err).toContain('use --prefix')
  }, 60_000)

  it('is of the selected host with or without its default port', async () => {
    for (const origin of ['https://a.example', 'https://a.example:443', 'http://a.example:80'])
      for (const name of ['a.example', 'a.example:443', 'a.example:80', 'https://a.example:443']) {
        const exchange = plainExchange(page())
        const url = origin + path
        const { code, out } = await validate(
          ['-', '--host', name],
          JSON.stringify({ ...exchange, request: { ...exchange.request, url } }),
        )
        expect([code, out]).toEqual([0, expect.stringContaining('1 of 1 exchange matches')])
      }
  }, 60_000)

  it('is read with the bodies that are in files next to it', async () => {
    const [body, large] = ['a'.repeat(40), 'b'.repeat(40)].map((name) => `${name}.json`) as [string, string]
    file(body, JSON.stringify(page({ totalPages: 9 })))
    file(large, JSON.stringify(page({ totalPages: 9 })) + ' '.repeat(defaultLimit))
    for (const name of ['body.json', 'id_rsa']) file(name, JSON.stringify(page({ totalPages: 9 })))
    const attached = (_file: string) => har(entry(path, 200, { size: 10, _file }))
    const found = await validate([file('attached.har', attached(body))])
    expect([found.code, found.out]).toEqual([1, expect.stringContaining('list.total-pages')])
    for (const [name, why] of [
      [`${'c'.repeat(40)}.json`, 'is missing or too large'],
      [large, 'is missing or too large'],
      ...['body.json', 'id_rsa', `../${body}`, '/etc/passwd'].map((other) => [
        other,
        'is not one of Playwright',
      ]),
    ] as [string, string][]) {
      const { code, out } = await validate([file('missing.har', attached(name))])
      expect([code, out]).toEqual([3, expect.stringContaining(`${why} (record with content: 'embed')`)])
    }
  }, 60_000)
})

it('names a table that is not among the given ones, once', async () => {
  const tables = file('other.json', JSON.stringify([{ name: 'note', fields: [] }]))
  const { code, out } = await validate(['-', '--tables', tables], `${good}\n${good}\n`)
  expect(code).toBe(0)
  expect(out.match(/"notes" is not among the tables.* Did you mean "note"\?/g)).toHaveLength(1)
})

it('shows a fact once that breaks several requirements', async () => {
  const failed = plainExchange('no', { status: 500, contentType: 'text/plain' })
  const { out } = await validate(['-', '--profile', 'standard'], JSON.stringify(failed))
  expect(out.match(/^ {2}(?:fail|warn) /gm)).toHaveLength(5)
  expect(out.match(/^ {4}received /gm)).toHaveLength(3)
})

it.each<[string, string[], string]>([
  [
    '/api/collections/notes/records',
    [],
    'no operation is under /api/v1, and the traffic has /api/collections/notes/…: add --prefix /api',
  ],
  [
    path,
    ['--prefix', '/rest'],
    'no operation is under /rest, and the traffic has /api/v1/collections/notes/…: add --prefix /api/v1',
  ],
  ['/collections/notes/records', [], "the traffic has /collections/notes/…: add --prefix ''"],
])(
  'suggests the prefix that the traffic has: %s',
  async (url, args, words) => {
    const { code, out } = await validate(['-', ...args], JSON.stringify(plainExchange({}, { url })))
    expect([code, out]).toEqual([3, expect.stringContaining(words)])
  },
  60_000,
)

it('never reports an exchange as conforming if its body was not validated', async () => {
  const { out } = await validate(['-'], `${unrecorded}\n${unrecorded}\n`)
  expect(out).toContain(
    '2 of 2 exchanges match an operation: 0 conform, 0 do not; the bodies of 2 could not be validated',
  )
}, 60_000)

it.each<[string, string, RegExp]>([
  ['an empty file', '', /no exchanges found in the input; nothing was validated/],
  [
    'traffic of something else',
    JSON.stringify(plainExchange({}, { url: '/x' })),
    /nothing was validated: check --prefix/,
  ],
  [
    'recordings without bodies',
    unrecorded,
    /not validated: the recording .*\n.*1 could not be validated\nnothing was validated: every body is missing/,
  ],
])(
  'exits 3 for %s',
  async (_name, content, words) => {
    const { code, out } = await validate(['-'], content)
    expect([code, out]).toEqual([3, expect.stringMatching(words)])
  },
  60_000,
)

it.each<[string, () => string[], RegExp]>([
  [
    'no such file',
    () => [join(folder, 'nowhere')],
    /cannot be read \(ENOENT\)\n {2}at {4}.*nowhere\n {2}next {2}use a file/,
  ],
  ['a folder', () => [folder], /cannot be read \(EISDIR\)/],
  [
    'another kind of file',
    () => [file('d.txt', 'hello')],
    /line 1 is not JSON, .*\n {2}at {4}.*d\.txt\n {2}next {2}use a HAR/,
  ],
  [
    'a packed file that is broken',
    () => [file('e.gz', gzipSync(good).subarray(0, 40))],
    /cannot be read \(.*\n.*\n {2}next {2}decompress the file/,
  ],
  ['a dump without its request', () => [file('f.txt', dump)], /response 1 has no request: .*--request "GET/],
  ['no file at all', () => [], /missing required argument/],
  ['a floor that is none', () => ['-', '--fail-under', 'all'], /must be a number up to 100/],
])(
  'exits 2 for %s, with the next step',
  async (_name, args, words) => {
    const { code, err } = await validate(args())
    expect([code, err]).toEqual([2, expect.stringMatching(words)])
  },
  60_000,
)

it('shows what it could read before it exits 2 for what it could not', async () => {
  const { code, out, err } = await validate(['-'], `${bad}\nbroken\n${good}\n{}\n`)
  expect(out).toMatch(/list\.total-pages[\s\S]*2 of 2 exchanges match an operation: 1 conform, 1 do not/)
  expect(err).toMatch(/stdin: line 4 .*\n.*line 2 is not JSON.*, and 1 more like it/)
  expect(code).toBe(2)
})

it('names the first entries that it could not read, and counts the others', async () => {
  const json = join(folder, 'many.json')
  const { code, out, err } = await validate(
    ['-', file('few.ndjson', 'broken\n{}\n'), '--report', `json=${json}`],
    `${bad}\n${'broken\n'.repeat(1_000)}`,
  )
  const report: RunReport = JSON.parse(readFileSync(json, 'utf8'))
  expect(isReport(report), JSON.stringify(isReport.errors)).toBe(true)
  expect(report.errors.map(({ place, message }) => [place, message.split(',', 1)[0]])).toEqual([
    ...[2, 3, 4, 5, 6].map((line) => ['stdin', `line ${line} is not JSON`]),
    ['stdin', '995 more could not be read'],
    [join(folder, 'few.ndjson'), 'line 1 is not JSON'],
    [join(folder, 'few.ndjson'), 'line 2 is not an exchange: it needs request.url and response.status'],
  ])
  expect(report.verdict.lines).toContain('error: 1002 entries could not be read')
  expect([code, out]).toEqual([2, expect.stringContaining('1 of 1 exchange matches an operation')])
  expect(err).toMatch(/stdin: line 6 .*\n.*line 2 is not JSON.*, and 1001 more like it/)
}, 60_000)

it('prints no more results than the reader of stdout takes', async () => {
  const running = validate(['-', '--json'], `${good}\n${good}\n`)
  const taken: (() => void)[] = []
  process.stdout.write = (_chunk: string | Uint8Array, done?: unknown) => {
    taken.push(done as () => void)
    return false
  }
  await vi.waitFor(() => expect(taken).toHaveLength(1), 20_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(taken).toHaveLength(1)
  taken[0]?.()
  await vi.waitFor(() => expect(taken).toHaveLength(2), 20_000)
  taken[1]?.()
  expect((await running).code).toBe(0)
}, 60_000)

it('reports the other files before it exits 2 for one that cannot be read', async () => {
  const json = join(folder, 'others.json')
  const { code, out, err } = await validate(
    [join(folder, 'nowhere'), '-', '--report', `json=${json}`],
    `${bad}\n${good}\n`,
  )
  expect(out).toMatch(/list\.total-pages[\s\S]*2 of 2 exchanges match an operation: 1 conform, 1 do not/)
  expect([code, err]).toEqual([2, expect.stringMatching(/ENOENT[\s\S]*next {2}use a file that exists/)])
  const report: RunReport = JSON.parse(readFileSync(json, 'utf8'))
  expect(report.errors).toMatchObject([{ message: 'the traffic cannot be read (ENOENT)', unread: true }])
}, 60_000)

it.each<[string, string, number]>([
  ['input that cannot be parsed', 'hello', 2],
  ['input without exchanges', '', 3],
])(
  'counts no exchanges of %s',
  async (_name, input, exitCode) => {
    const { code, out } = await validate(['-'], input)
    expect([code, out]).toEqual([exitCode, expect.not.stringMatching(/\d of \d/)])
  },
  60_000,
)

it('the result is incomplete, and not below its minimum, if nothing was validated', async () => {
  const { code } = await validate(['-', '--fail-under', 'operations=50'], unrecorded)
  expect(code).toBe(3)
}, 60_000)

it.each<[string, object]>([
  ['a header that is none', { response: { status: 200, headers: [null], body: '{}' } }],
  ['a method that is none', { request: { url: path, method: 5 } }],
  ['half a response of axios', { response: { status: 200, config: null, data: null } }],
  ['half a response of supertest', { response: { status: 200, req: null, text: 'x' } }],
])(
  'judges the rest next to %s',
  async (_name, odd) => {
    const whole = { request: { url: path }, response: { status: 200, body: '{}' }, ...odd }
    const { code, out, err } = await validate(['-'], `${JSON.stringify(whole)}\n${bad}\n${good}\n`)
    expect(out).toMatch(/stdin:2 [\s\S]*2 of 2 exchanges match an operation: 1 conform, 1 do not/)
    expect(err).toMatch(/entry 1 cannot be validated: \S.*\n {2}at {4}stdin\n/)
    expect(code).toBe(2)
  },
  60_000,
)

it('judges the rest of a HAR next to an entry that it cannot read', async () => {
  const entryOf = (content: unknown) => ({
    request: { method: 'GET', url: `http://x${path}` },
    response: { status: 200, headers: [{ name: 'content-type', value: 'application/json' }], content },
  })
  const text = JSON.stringify(page())
  const har = { log: { entries: [entryOf({ text }), entryOf(null), entryOf({ text })] } }
  const { code, out, err } = await validate([file('null.har', JSON.stringify(har))])
  expect(out).toContain('2 of 2 exchanges match an operation: 2 conform')
  expect(err).toMatch(
    /entry 2 is not one of HAR: response\.content must be an object; found null\n {2}at {4}\S+null\.har\n/,
  )
  expect(code).toBe(2)
}, 60_000)

it('rejects tables whose choices are none', async () => {
  const fields = [{ type: 'select', name: 'rank', values: 5 }]
  const tables = file('choices.json', JSON.stringify([{ name: 'notes', fields }]))
  const { code, err } = await validate(['-', '--tables', tables], good)
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /"values" of field "rank" of table "notes" must be an array; found a number\.\n.*--tables /,
    ),
  ])
})

it('takes a dump with its request, tables, and a floor for coverage', async () => {
  const tables = file(
    'tables.json',
    JSON.stringify([{ name: 'notes', fields: [{ type: 'text', name: 'body' }] }]),
  )
  const seen = join(folder, 'coverage.json')
  const args = [file('e.txt', dump), '--request', `GET ${path}`]
  const fields = await validate([...args, '--tables', tables, '--profile', 'standard'])
  expect([fields.code, fields.out]).toEqual([1, expect.stringMatching(/field\.zero-values/)])
  const low = await validate([...args, '--fail-under', 'operations=50', '--coverage', seen])
  expect([low.code, low.out]).toEqual([1, expect.stringMatching(/below --fail-under: operations: 1 of 19/)])
  const enough = await validate([...args, '--fail-under', '0.5', '--coverage', seen])
  expect(enough.code).toBe(0)
  expect(JSON.parse(readFileSync(seen, 'utf8')).counts).toEqual({ listRecords: { 200: 2 } })
}, 60_000)
