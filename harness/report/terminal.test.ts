import { expect, it } from 'vitest'
import { coverageOf } from '../../validate/coverage/coverage-report.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { htmlReport } from './html.ts'
import { createPaint } from './paint.ts'
import { headline, reportLines, smokeLines } from './terminal.ts'

const finding: Finding = {
  requirement: 'list.shape',
  statement: 'It MUST.',
  level: 'MUST',
  basis: 'stated',
  source: '2.4',
  status: 'fail',
  message: 'said \u001b[2J\u009b31m\rred\nand more',
  expected: 'a list',
  received: '\u0007bell',
  exchanges: [],
  curl: [`curl -sS http://h/p --data-raw '{"a":  "two  spaces"}'`, `curl ${'x'.repeat(3_000)}`],
  requests: 1,
  ms: 1,
}

/** What the paint adds. */
const ours = new RegExp(`${String.fromCharCode(27)}\\[(?:1|22|2|31|32|33|39)m`, 'g')

const count = {
  counted: 1,
  passed: 0,
  failed: 1,
  warned: 0,
  observed: 0,
  notApplicable: 0,
  blocked: 0,
  untestable: 0,
}

const report: RunReport = {
  suite: { name: 'suite', version: '0' },
  target: { baseUrl: 'http://h', profile: 'standard' },
  seed: 1,
  startedAt: new Date(0).toISOString(),
  durationMs: 1,
  requests: 1,
  verdict: {
    outcome: 'non-conformant',
    exitCode: 1,
    document: count,
    profile: {
      ...count,
      claimed: true,
      name: 'standard',
      grades: { recommended: { counted: 1, passed: 1 }, family: { counted: 0, passed: 0 } },
    },
    lines: ['document: non-conformant'],
  },
  findings: [finding],
  errors: [],
  leftovers: [],
  smoke: { tables: {}, missingTables: [], actors: [], capabilities: {}, unlocks: [], notes: [] },
  coverage: coverageOf({}, 1),
}

const shown = () => reportLines(report, { paint: createPaint(false) })

it('prints a curl line as it is, so that it can be copied, and says where a long one is whole', () => {
  expect(shown()).toContain(`    $ curl -sS http://h/p --data-raw '{"a":  "two  spaces"}'`)
  expect(shown().find((line) => line.includes('xxx'))).toMatch(/x… \(complete with --report json=FILE\)$/)
})

it('reports a lost target separately from the errors of the run, with its request and the command', () => {
  const lost = {
    place: 'list.shape',
    message: 'gone',
    lost: true,
    curl: ['curl -sS http://h/p'],
    again: 'npx x',
  }
  const errors = [{ place: 'engine', message: 'ours' }, lost, { place: 'smoke', message: 'm', lost: true }]
  const lines = reportLines({ ...report, findings: [], errors }, { paint: createPaint(false) })
  expect(lines.slice(0, 12)).toEqual([
    '',
    'the target stopped responding',
    '  list.shape',
    '    gone',
    '    $ curl -sS http://h/p',
    '    replay    npx x',
    '',
    '  smoke',
    '    m',
    '',
    'errors in the suite (not in the server)',
    '  engine',
  ])
  const quiet = reportLines(
    { ...report, findings: [], errors: [lost] },
    { paint: createPaint(false), quiet: true },
  )
  expect(quiet.join('\n')).toContain('the target stopped responding\n  list.shape\n    gone\n\n')
})

it('names the failures again if they fill more than a screen', () => {
  const ids = [
    'list.a',
    'list.b',
    'record.c',
    'batch.d.e',
    ...Array.from({ length: 9 }, (_, at) => `wire.${at}`),
    ...Array.from({ length: 10 }, (_, at) => `auth.${at}`),
  ]
  const findings = ids.map((requirement) => ({ ...finding, requirement }))
  const lines = reportLines({ ...report, findings }, { paint: createPaint(false) })
  const at = lines.indexOf('failed: 23')
  expect(lines.slice(at, at + 6)).toEqual([
    'failed: 23',
    '  list: a, b',
    '  record: c',
    '  batch: d.e',
    // Never "and 1 more": the ninth is as short.
    '  wire: 0, 1, 2, 3, 4, 5, 6, 7, 8',
    '  auth: 0, 1, 2, 3, 4, 5, 6, 7 and 2 more',
  ])
  expect(shown().join('\n')).not.toContain('failed: 1')
})

it('shows control characters of a server instead of obeying them', () => {
  const text = shown().join('\n')
  expect(text).toContain('said \\x1b[2J\\x9b31m\\x0dred\n    and more')
  expect(text).toContain('received  \\x07bell')
  expect(text).not.toMatch(/[^\P{Cc}\n]/u)
})

it('obeys no control character of a server or a file, wherever it appears, and shows what reverses a line', () => {
  const odd = 'odd\u001b[2J\u009b1m\u202e\u2066\nline'
  const of = (status: Status, more: Partial<Finding> = {}): Finding => ({
    ...finding,
    status,
    message: odd,
    expected: odd,
    received: odd,
    curl: [odd],
    ...more,
  })
  const lines = [
    ...reportLines(
      {
        ...report,
        target: { baseUrl: 'http://h' },
        verdict: { ...report.verdict, lines: [odd] },
        findings: [
          of('fail', { replay: { seed: 1, path: '', command: odd } }),
          of('warn', { known: { reason: odd } }),
          of('untestable', { hint: odd }),
          of('not-applicable'),
          of('blocked'),
          of('observed', { basis: 'profile', source: 'list.paging' }),
        ],
        errors: [{ place: odd, message: odd }],
        leftovers: [{ table: odd, id: odd, reason: odd }],
        otherViolations: [{ requirement: 'list.shape', message: odd, curl: [odd] }],
      },
      { paint: createPaint(true), verbose: true },
    ),
    ...smokeLines(
      { ...report.smoke, missingTables: [odd], unlocks: [{ line: odd, checks: 1 }], notes: [odd] },
      createPaint(true),
    ),
    headline('suite', '1', odd, 'http://h', 1),
  ]
  expect(lines.join('').match(/odd\\x1b\[2J\\x9b1m\\u202e\\u2066/g)).toHaveLength(21)
  for (const line of lines) {
    const bare = line.replaceAll(ours, '')
    expect(bare).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
  }
})

it.each([
  [10, undefined],
  [112, '  and 102 more: see --report json=FILE'],
])('names ten records that were left behind, and counts the others: %i', (count, others) => {
  const leftovers = Array.from({ length: count }, (_, at) => ({ table: 't', id: `r${at}`, reason: 'no' }))
  const lines = reportLines({ ...report, leftovers }, { paint: createPaint(false) })
  expect(lines.filter((line) => line.startsWith('  t/'))).toHaveLength(10)
  expect(lines.find((line) => line.includes(' more: see --report'))).toBe(others)
})

it('reports violations of requirements that were not selected', () => {
  const otherViolations = [
    { requirement: 'wire.no-secrets', message: 'a key is shown', curl: ['curl http://h/p'] },
  ]
  const lines = reportLines({ ...report, findings: [], otherViolations }, { paint: createPaint(false) })
  const at = lines.indexOf('also violated, but not among the checks that ran (not counted)')
  expect(lines.slice(at + 1, at + 3)).toEqual(['  wire.no-secrets  a key is shown', '    $ curl http://h/p'])
})

it('prints every request of a counterexample, and says where the earlier ones of a longer check are', () => {
  const curl = Array.from({ length: 11 }, (_, at) => `curl http://h/${at}`)
  const printed = (path: string) => {
    const replay = { seed: 1, path, command: 'again' }
    const findings = [{ ...finding, curl, replay }]
    return reportLines({ ...report, findings }, { paint: createPaint(false) })
  }
  expect(printed('0:1').filter((line) => line.includes('$ curl'))).toHaveLength(11)
  expect(printed('').filter((line) => line.includes('$ curl'))).toHaveLength(8)
  expect(printed('')).toContain('    3 earlier requests: see --report json=FILE')
  expect(printed('0:1').join('\n')).not.toContain('earlier')
})

it('shows an earlier request if a later one needs the variable that it sets', () => {
  const curl = Array.from({ length: 11 }, (_, at) =>
    at === 1 ? 'ID=$(curl a)' : `curl ${at === 10 ? '"$ID"' : at}`,
  )
  const findings = [{ ...finding, curl }]
  const lines = reportLines({ ...report, findings }, { paint: createPaint(false) })
  expect(lines.filter((line) => line.startsWith('    $ '))).toHaveLength(10)
  expect(lines).toContain('    1 earlier request: see --report json=FILE')
})

it('says which lines need an email, and what reads it', () => {
  const reported = (curl: string[]) =>
    reportLines({ ...report, findings: [{ ...finding, curl }] }, { paint: createPaint(false) }).join('\n')
  expect(reported([`curl --data-raw "\${CODE:?read it from the email}"`])).toContain('is in the email')
  expect(reported(['curl a', 'curl b'])).not.toContain('is in the email')
})

it('says with a failure what its requirement notes: another name or spelling may be the cause', () => {
  const failed = { ...report, findings: [{ ...finding, requirement: 'list.filter-narrows' }] }
  const text = reportLines(failed, { paint: createPaint(false) }).join('\n')
  expect(text).toContain('    note      The form of a condition is a binding (filter.equals)')
})

it('says once how several requests are sent again', () => {
  const reported = (findings: Finding[]) =>
    reportLines({ ...report, findings }, { paint: createPaint(false) }).filter((line) =>
      line.includes('run the lines in order'),
    )
  expect(reported([finding, { ...finding, requirement: 'list.items' }])).toHaveLength(1)
  expect(reported([{ ...finding, curl: finding.curl.slice(0, 1) }])).toEqual([])
})

it('counts equal requests that follow each other', () => {
  const curl = ['curl a', 'curl a', 'curl a', 'curl b', 'curl a']
  const lines = reportLines({ ...report, findings: [{ ...finding, curl }] }, { paint: createPaint(false) })
  expect(lines.filter((line) => line.includes('$ curl'))).toEqual([
    '    $ curl a  # 3 times',
    '    $ curl b',
    '    $ curl a',
  ])
})

it('starts with what to fix first, and repeats it before the verdict', () => {
  const blocked = ['list.b', 'list.c'].map((requirement) => ({
    ...finding,
    requirement,
    status: 'blocked' as const,
    blockedBy: 'record.id',
  }))
  const findings = [
    finding,
    { ...finding, requirement: 'record.id', expected: '"a"', received: '"b"' },
    ...blocked,
  ]
  const lines = reportLines({ ...report, findings }, { paint: createPaint(false) })
  const first = 'Fix first: record.id, which 2 others depend on'
  expect(lines.slice(0, 3)).toEqual(['', first, ''])
  expect(lines[lines.indexOf('document: non-conformant') - 1]).toBe(first)
  expect(lines[4]).toBe('  ✗ record.id  MUST, stated, section 2.4')
})

it('shows a short difference next to the message, and where the requirement is stated', () => {
  const short = { ...finding, message: 'totalPages', expected: '2', received: '1' }
  const lines = reportLines({ ...report, findings: [short] }, { paint: createPaint(false) })
  expect(lines).toContain('    totalPages: expected 2, received 1')
  expect(lines.some((line) => /about {5}https:.*requirements\.md#list\.shape$/.test(line))).toBe(true)
  expect(lines.some((line) => line.startsWith('    expected'))).toBe(false)
})

it('has one row for all operations that do not exist', () => {
  const findings = ['request-otp', 'auth-with-otp', 'batch'].map((name) => ({
    ...finding,
    requirement: `operation.${name}`,
    message: `${name} does not exist: the response is the same as for a path that does not exist`,
    received: name === 'batch' ? '405 no' : '404 none',
  }))
  const lines = reportLines({ ...report, findings }, { paint: createPaint(false) })
  const at = lines.indexOf('operations that do not exist')
  expect(lines.slice(at + 1, at + 5)).toEqual([
    '  ✗ 2 operations, with the response 404 none',
    '    operation.request-otp, operation.auth-with-otp',
    '  ✗ 1 operation, with the response 405 no',
    '    operation.batch',
  ])
  expect(lines).toContain(
    '  implement them, or declare in a target file that the server does not have them: "operations": { "requestOtp": false, "authWithOtp": false, "batch": false }',
  )
  expect(lines.join('\n')).not.toContain('Fix first')
})

it('adds operations that do not exist to the number of failures, as the other counts do', () => {
  const absent = {
    ...finding,
    requirement: 'operation.batch',
    message: 'batch does not exist: the response is the same as for a path that does not exist',
  }
  const failed = ['a', 'b', 'c', 'd'].map((name) => ({ ...finding, requirement: `list.${name}` }))
  const whole = { ...report, findings: [...failed, absent] }
  const lines = reportLines(whole, { paint: createPaint(false) })
  expect(lines).toContain('failed: 4, and 1 operation that does not exist')
  const html = htmlReport(whole)
  for (const text of ['<b>5</b> fail', '>Failed (4)<', '>Operations that do not exist (1)<'])
    expect(html).toContain(text)
})

it('says in one line of a quiet run what was sent, what is wrong, and the difference', () => {
  const exchange = {
    number: 1,
    actor: 'guest',
    request: {
      method: 'GET',
      url: 'http://h/api/v1/collections/notes/records?page=2',
      headers: {},
      body: '',
      bytes: 0,
    },
    ms: 1,
  }
  const findings = [
    { ...finding, message: 'items on page 2', expected: '1', received: '0', exchanges: [exchange] },
  ]
  const lines = reportLines({ ...report, findings }, { paint: createPaint(false), quiet: true })
  expect(lines).toContain(
    '  ✗ list.shape  GET /api/v1/collections/notes/records?page=2: items on page 2: expected 1, received 0',
  )
})

it('names in a quiet run what is blocked, and by what, if that decides the exit code', () => {
  const blocked: Finding = {
    ...finding,
    requirement: 'list.page',
    status: 'blocked',
    message: 'list.shape failed',
    blockedBy: 'list.shape',
  }
  const known = { ...finding, known: { reason: 'fixed in the next release' } }
  const quiet = (outcome: RunReport['verdict']['outcome']) =>
    reportLines(
      { ...report, findings: [known, blocked], verdict: { ...report.verdict, outcome } },
      { paint: createPaint(false), quiet: true },
    ).join('\n')
  expect(quiet('incomplete')).toMatch(/blocked\n +◌ list\.page +list\.shape failed/)
  expect(quiet('non-conformant')).not.toContain('blocked\n')
})

it('fits 40 columns, except for what is copied and for addresses', () => {
  const lines = reportLines(report, { paint: createPaint(false), columns: 40 })
  const wide = lines.filter((line) => line.length > 40 && !/\$ |replay|https?:/.test(line))
  expect(wide).toEqual([])
})
