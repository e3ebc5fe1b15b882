/** The file formats that we publish: target files, data files with their tables, and reports. */

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange/exchange.ts'
import type { Finding } from '../harness/vocabulary/finding.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import type { BasisCount, Verdict } from '../harness/vocabulary/verdict.ts'
import { tableSchemaFile } from '../scripts/generate-table-schema.ts'
import { loadTables, tableDefinitions } from '../spec/tables.ts'
import { sampleCoverage } from './support/sample-report.ts'

function schema(name: string): object {
  return JSON.parse(readFileSync(new URL(`../spec/${name}.schema.json`, import.meta.url), 'utf8'))
}

function load(name: string, ...others: string[]) {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    schemas: others.map(schema),
  })
  return ajv.compile(schema(name))
}

describe('target file', () => {
  const validate = load('target')
  const base = { baseUrl: 'http://127.0.0.1:8090' }

  it.each<[string, unknown]>([
    ['only an address', base],
    ['an address with a path', { baseUrl: 'https://example.com/backend' }],
    [
      'everything',
      {
        $schema: './target.schema.json',
        ...base,
        name: 'mine',
        profile: 'standard',
        prefix: '/api',
        binding: { 'list.perPage': 'limit' },
        capabilities: { batch: true, otp: false },
        tables: { plain: { name: 'posts', id: 'p1', fields: { title: 'headline' } } },
        credentials: {
          superuser: { signIn: { table: '_superusers', identity: 'root', passwordEnv: 'ROOT_PASSWORD' } },
          user: { tokenEnv: 'USER_TOKEN' },
          other: { token: 'abc' },
          last: { signIn: { table: 'users', identity: 'a@example.com', password: 'x' } },
        },
        hooks: { clock: './clock.ts' },
      },
    ],
    ['no prefix at all', { ...base, prefix: '' }],
  ])('takes %s', (_, file) => {
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['no address', {}],
    ['an address without a scheme', { baseUrl: '127.0.0.1:8090' }],
    ['an address with a query', { baseUrl: 'http://127.0.0.1?x=1' }],
    ['an unknown key', { ...base, tabels: {} }],
    ['a prefix without a slash', { ...base, prefix: 'api' }],
    ['a prefix that ends in one', { ...base, prefix: '/api/' }],
    ['a capability that is no switch', { ...base, capabilities: { batch: 'yes' } }],
    ['a table without a name', { ...base, tables: { plain: { id: 'x' } } }],
    ['an unknown key of a table', { ...base, tables: { plain: { name: 'x', rules: '' } } }],
    ['an empty credential', { ...base, credentials: { superuser: {} } }],
    ['two ways at once', { ...base, credentials: { superuser: { token: 'a', tokenEnv: 'B' } } }],
    [
      'a sign-in without a password',
      { ...base, credentials: { u: { signIn: { table: 't', identity: 'i' } } } },
    ],
    [
      'a password twice',
      {
        ...base,
        credentials: { u: { signIn: { table: 't', identity: 'i', password: 'p', passwordEnv: 'P' } } },
      },
    ],
    ['a variable that is none', { ...base, credentials: { u: { tokenEnv: '$TOKEN' } } }],
  ])('rejects %s', (_, file) => {
    expect(validate(file)).toBe(false)
  })
})

describe('data file', () => {
  const validate = load('data', 'table')

  it('has a schema for tables that is up to date', async () => {
    expect(await tableSchemaFile.written(), 'run: npm run generate').toBe(tableSchemaFile.expected())
  })

  it.each<[string, unknown]>([
    ['the tables of the suites', { tables: loadTables() }],
    ['their definitions, as exported', { collections: tableDefinitions() }],
    ['records', { records: { posts: [{ title: 'a' }] } }],
    [
      'everything',
      {
        tables: [{ name: 'posts', fields: null, made: 'by a newer server' }],
        records: { posts: [] },
        superusers: [{ email: 'a@example.com', password: 'x' }],
        keys: [{ name: 'ci', tables: ['*'], actions: ['list'] }],
      },
    ],
  ])('takes %s', (_, file) => {
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['an unknown key', { tabels: [] }],
    ['a table without a name', { tables: [{}] }],
    ['an option of another kind', { tables: [{ name: 'a', fields: [{ type: 'number', min: 'x' }] }] }],
    ['the same below a role', { tables: [{ role: 'r', definition: { name: 5 } }] }],
    ['a row that is not an object', { records: { posts: [1] } }],
    ['a superuser without a password', { superusers: [{ email: 'a' }] }],
    ['a key without actions', { keys: [{ tables: ['*'] }] }],
  ])('rejects %s', (_, file) => {
    expect(validate(file)).toBe(false)
  })
})

describe('report', () => {
  const validate = load('report')
  const count: BasisCount = {
    counted: 2,
    passed: 1,
    failed: 1,
    warned: 0,
    observed: 0,
    notApplicable: 0,
    blocked: 0,
    untestable: 0,
  }
  const verdict: Verdict = {
    outcome: 'non-conformant',
    exitCode: 1,
    document: {
      ...count,
      share: { operations: { present: 8, of: 19 }, requirements: { applicable: 1, of: 2 } },
    },
    profile: {
      ...count,
      claimed: true,
      name: 'standard',
      grades: { recommended: { counted: 1, passed: 1 }, family: { counted: 0, passed: 0 } },
    },
    lines: ['document: 1 of 2'],
  }
  // Required<>: a field that the types gain and the schema does not makes this test fail.
  const exchange: Required<Exchange> = {
    number: 1,
    operation: 'listRecords',
    actor: 'guest',
    request: { method: 'GET', url: 'http://127.0.0.1/', headers: {}, body: '', bytes: 0 },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{}', bytes: 2 },
    ms: 1.5,
  }
  const failed: Required<Finding> = {
    requirement: 'list.total-pages',
    blockedBy: 'list.page',
    breaks: 'list.shape',
    seenIn: 'list.empty',
    rejected: true,
    statement: 'A list MUST tell.',
    level: 'MUST',
    basis: 'stated',
    grade: 'family',
    security: 'Anyone can count.',
    held: false,
    source: '2.4',
    status: 'fail',
    message: 'It does not.',
    hint: 'Count them.',
    expected: '3',
    received: '2',
    exchanges: [exchange],
    leftOut: 3,
    curl: ['curl http://127.0.0.1/'],
    replay: { seed: 7, path: '0:1', command: 'npx conformance --seed 7' },
    retried: 'the check was run again: the connection was reset at request 12',
    examples: { run: 7, of: 25 },
    known: { reason: 'It counts otherwise.', issue: 'https://example.com/1', expires: '2027-01-01' },
    requests: 3,
    ms: 12,
  }
  const { hint: _hint, expected: _expected, received: _received, replay: _replay, ...plain } = failed
  const passed: Finding = { ...plain, status: 'pass', message: '', exchanges: [], curl: [] }
  const report: Required<RunReport> = {
    suite: { name: 'record-auth-conformance', version: '0.1.0' },
    target: { baseUrl: 'http://127.0.0.1:8090', name: 'mine', profile: 'standard' },
    seed: 42,
    strict: true,
    selection: { requirements: 2, of: 800 },
    startedAt: '2024-01-02T03:04:05.006Z',
    durationMs: 1234,
    requests: 99,
    verdict,
    findings: [failed, passed],
    errors: [
      { place: 'clean-up', message: 'It broke.', stack: 'Error: It broke.' },
      { place: 'a.har', message: 'line 2 is not JSON', unread: true },
      { place: 'a.har', message: '7 more could not be read', unread: true, entries: 7 },
    ],
    leftovers: [{ table: 'conf_plain', id: 'abc', reason: '403' }],
    foreign: [{ table: 'conf_plain', id: 'xyz', reason: 'it existed before the run' }],
    unlisted: [{ table: 'conf_plain', reason: 'its list returned 403' }],
    journalError: 'ENOSPC: no space left on device, write',
    noJournal: true,
    smoke: {
      tables: { plain: 'found', members: 'given' },
      missingTables: ['locked'],
      actors: ['guest'],
      capabilities: { batch: true },
      unlocks: [{ line: 'credentials: ...', checks: 12 }],
      notes: [],
    },
    coverage: sampleCoverage(),
    sent: { reads: 1, signIns: 0, writes: 2 },
    connections: { broken: 3, sentAgain: 2, runAgain: 1 },
    rateLimit: { rejected: 2, operations: { listRecords: 2 }, waitedMs: 1500 },
    otherViolations: [{ requirement: 'wire.schema', message: 'It lacks a key.', curl: ['curl http://h/'] }],
    baseline: { file: 'known.yaml', known: 1, problems: [] },
    traffic: { exchanges: 3, matched: 2, broken: 1, unjudged: 0, problems: ['statuses: 1 of 90'] },
  }

  it('takes all that the types can say', () => {
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each<[string, object]>([
    ['no verdict', { verdict: undefined }],
    ['an unknown key', { extra: 1 }],
    ['an unknown status', { findings: [{ ...failed, status: 'skipped' }] }],
    ['a failure without a message', { findings: [{ ...failed, message: '' }] }],
    ['a pass with a message', { findings: [{ ...passed, message: 'fine' }] }],
    ['an unknown key of a finding', { findings: [{ ...passed, note: '' }] }],
    ['an unknown key of an exchange', { findings: [{ ...failed, exchanges: [{ ...exchange, x: 1 }] }] }],
    ['an unknown key of a count', { verdict: { ...verdict, document: { ...count, skipped: 1 } } }],
    ['a profile without a name', { verdict: { ...verdict, profile: count } }],
    ['an unknown key of the smoke check', { smoke: { ...report.smoke, x: 1 } }],
    [
      'a value among the names of the coverage',
      {
        coverage: {
          ...report.coverage,
          seen: {
            listRecords: [
              { status: 200, actor: 'guest', parameters: ['title'], requirements: ['list.page'] },
            ],
          },
        },
      },
    ],
    ['an exit code of its own', { verdict: { ...verdict, exitCode: 4 } }],
  ])('rejects %s', (_, change) => {
    expect(validate(JSON.parse(JSON.stringify({ ...report, ...change })))).toBe(false)
  })
})
