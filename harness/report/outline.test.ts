import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import { sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import { fileLimits, screenLimits } from './limits.ts'
import { markdownReport } from './markdown.ts'
import { outline } from './outline.ts'
import { createPaint } from './paint.ts'
import { lowerFirst } from './sections.ts'
import { reportLines } from './terminal.ts'

const record = { table: 'notes', id: 'abc', reason: 'the delete returned 500' }

/** Something for every section. */
function everything(): RunReport {
  const report = sampleReport()
  const security = 'Anyone can sign in.'
  const seen = { basis: 'profile', source: 'filter.language' } as const
  return {
    ...report,
    findings: [
      // A report has one finding for each requirement.
      ...report.findings.filter(({ requirement }) => requirement !== 'filter.and'),
      sampleFinding('record.id', 'fail', { curl: ['curl one', 'curl two'] }),
      sampleFinding('list.again', 'pass', { retried: 'the connection broke' }),
      sampleFinding('list.cut', 'pass', { examples: { run: 7, of: 25 } }),
      sampleFinding('filter.or', 'observed', { ...seen, security, held: false }),
      sampleFinding('filter.and', 'observed', { ...seen, held: false }),
    ],
    errors: [...report.errors, { place: 'list.shape', message: 'gone', lost: true }],
    otherViolations: [
      { requirement: 'wire.no-secrets', message: 'a key is shown', curl: ['curl http://h/p'] },
    ],
    leftovers: [record],
    foreign: [record],
  }
}

const differs = 'Different from the standard profile where the document does not say (not counted)'
const topics = 'What this server does where the document does not say'

const titles = [
  'Failed',
  'Warned',
  'The target stopped responding',
  'Errors in the suite (not in the server)',
  'Also violated, but not among the checks that ran (not counted)',
  'Worth a look: relevant to security, but the document does not say (not counted)',
  differs,
  'Blocked',
  'Untestable',
  'One more line would enable',
  'Run again',
  'Properties cut short',
  'Known failures',
  'What this server does where the document does not say',
  'Left behind on the target',
  'Left alone: responses named them as created, but nothing proves that a run created them',
  'Observed',
  'Not applicable',
  'Passed',
]

it('lists all sections in the same order, and none without entries', () => {
  expect(outline(everything(), fileLimits).sections.map(({ title }) => title)).toEqual(titles)
  const bare = { ...sampleReport(), findings: [], errors: [], leftovers: [] }
  const { sections } = outline({ ...bare, target: { baseUrl: 'http://h', profile: 'standard' } }, fileLimits)
  expect(sections.map(({ title }) => title)).toEqual(['One more line would enable'])
})

it('lists the areas and their findings by what needs attention first, each finding once', () => {
  const { areas, counts } = outline(everything(), fileLimits)
  const statuses = areas.map(({ name, entries }) => [name, ...entries.map(({ status }) => status)])
  expect(statuses.slice(0, 3)).toEqual([
    ['list', 'fail', 'fail', 'pass', 'pass', 'pass'],
    ['record', 'fail'],
    ['batch', 'warn', 'not-applicable'],
  ])
  expect(areas.flatMap(({ entries }) => entries)).toHaveLength(everything().findings.length)
  expect(counts.map(({ status }) => status)).toEqual([
    ...['fail', 'warn', 'blocked', 'untestable', 'observed', 'not-applicable', 'pass'],
  ])
})

describe('every format prints what is for its readers, in that order', () => {
  const report = everything()
  const terminal = reportLines(report, { paint: createPaint(false), verbose: true })
  const rest = (left: readonly string[]) => titles.filter((title) => !left.includes(title))
  const beforeTheRun = 'One more line would enable'

  it('terminal', () => {
    const wanted = rest([beforeTheRun, differs, topics]).map(lowerFirst)
    expect(terminal.filter((line) => wanted.includes(line))).toEqual(wanted)
  })

  it('terminal, quiet: what failed, and what was done to the target', () => {
    const quiet = reportLines(report, { paint: createPaint(false), quiet: true })
    const all = titles.map(lowerFirst)
    expect(quiet.filter((line) => all.includes(line))).toEqual(
      [...titles.slice(0, 5), ...titles.slice(14, 16)].map(lowerFirst),
    )
  })

  it('terminal, usually: what differs instead of all that was observed', () => {
    const usual = reportLines(report, { paint: createPaint(false) })
    const wanted = rest([beforeTheRun, topics, 'Observed', 'Not applicable', 'Passed']).map(lowerFirst)
    expect(usual.filter((line) => titles.map(lowerFirst).includes(line))).toEqual(wanted)
  })

  it('Markdown', () => {
    const found = [...markdownReport(report).matchAll(/^### (.*)$/gm)].map(([, title]) => title)
    expect(found).toEqual(rest([differs, 'Observed', 'Not applicable', 'Passed']))
  })

  it('HTML: instead of what has a row for each finding anyway, all findings', () => {
    const html = htmlReport(report)
    const found = [...html.matchAll(/<section[^>]*><h2[^>]*>(.*)<\/h2>|<h2 id.*>(.*)<\/h2>/g)]
    const [early, late] = [titles.slice(0, 6), [...titles.slice(7, 16), 'Not applicable']]
    expect(found.map(([, title, other]) => title ?? other)).toEqual([
      ...early,
      'Coverage',
      ...late,
      'Everything',
    ])
    for (const { requirement } of report.findings)
      expect(html.split(` id="${requirement}"`), requirement).toHaveLength(2)
  })

  it('JUnit: the same, but for advice', () => {
    const xml = junitReport(report)
    for (const title of [...titles.slice(2, 5), ...titles.slice(14, 16)])
      expect(xml).toContain(`name="${lowerFirst(title)}"`)
    expect(xml).toContain('wire.no-secrets: a key is shown')
  })
})

it('shows the first of many records, and counts the others', () => {
  const report = { ...sampleReport(), leftovers: Array.from({ length: 112 }, () => record) }
  const left = (limits: typeof fileLimits) =>
    outline(report, limits).sections.find(({ title }) => title.startsWith('Left behind'))
  expect([left(screenLimits)?.entries.length, left(screenLimits)?.more]).toEqual([10, 102])
  expect([left(fileLimits)?.entries.length, left(fileLimits)?.more]).toEqual([112, 0])
})

it('writes one row for everything that a line of configuration would enable', () => {
  const findings = ['a.a', 'a.b', 'c.d'].map((id, at) =>
    sampleFinding(id, 'untestable', { hint: at < 2 ? 'set "hooks"' : 'add a table' }),
  )
  const { sections } = outline({ ...sampleReport(), findings }, screenLimits)
  const rows = sections.find(({ title }) => title === 'Untestable')?.entries
  expect(rows?.map(({ message, facts }) => [message, ...facts.map(({ text }) => text)])).toEqual([
    ['2 checks: set "hooks"', 'a.a, a.b'],
    ['1 check: add a table', 'c.d'],
  ])
})

it.each([
  [
    'no line for checks of a profile that is not claimed',
    false,
    undefined,
    ['1 check: add', '2 checks of the standard'],
  ],
  ['all lines if only these were selected', true, undefined, ['2 checks: set "as"']],
  ['all lines if the profile is claimed', false, 'standard', ['2 checks: set "as"', '1 check: add']],
])('shows %s', (_, isProfileOnly, profile, wanted) => {
  const profileFindings = ['a.a', 'a.b'].map((id) =>
    sampleFinding(id, 'untestable', { basis: 'profile', hint: 'set "as"' }),
  )
  const ofDocument = isProfileOnly ? [] : [sampleFinding('c.d', 'untestable', { hint: 'add a table' })]
  const report = { ...sampleReport(), findings: [...profileFindings, ...ofDocument] }
  const { sections } = outline({ ...report, target: { baseUrl: 'http://h', profile } }, screenLimits)
  const rows = sections.find(({ title }) => title === 'Untestable')?.entries ?? []
  expect(rows.map(({ message }) => message)).toEqual(wanted.map((each) => expect.stringContaining(each)))
})

it('shows what is blocked under the failure that it follows from, in every format', () => {
  const findings = [
    sampleFinding('list.page', 'fail', { message: 'no page' }),
    sampleFinding('list.a', 'blocked', { blockedBy: 'list.page' }),
    sampleFinding('list.b', 'blocked', { blockedBy: 'list.a' }),
    sampleFinding('list.c', 'blocked', { blockedBy: 'otp.once' }),
    sampleFinding('otp.once', 'untestable'),
  ]
  const report = { ...sampleReport(), findings }
  const { sections } = outline(report, fileLimits)
  const section = (wanted: string) => sections.find(({ title }) => title === wanted)?.entries ?? []
  expect(section('Failed').map(({ follows }) => follows)).toEqual([['list.a', 'list.b']])
  const heading = 'Blocked, in addition to 2 that failures above block'
  expect(section(heading).map(({ name }) => name)).toEqual(['list.c'])
  expect(reportLines(report, { paint: createPaint(false) })).toContain(lowerFirst(heading))
  for (const print of [htmlReport, markdownReport]) expect(print(report)).toContain(heading)
  const said = '2 requirements that build on it: list.a, list.b'
  expect(reportLines(report, { paint: createPaint(false) })).toContain(`    blocks    ${said}`)
  expect(markdownReport(report)).toContain(said)
  expect(junitReport(report)).toContain(said)
  expect(htmlReport(report)).toContain('<a href="#list.b"><code>list.b</code></a>')
})

it('never says of a server with known failures that it is conformant, and no more', () => {
  const report = sampleReport()
  const known = { ...report, verdict: { ...report.verdict, outcome: 'conformant' as const } }
  expect(outline(known, fileLimits).outcome).toBe('conformant except 1 known failure')
  for (const print of [htmlReport, markdownReport])
    expect(print(known)).toContain('conformant except 1 known failure')
})

describe('failures of the document and of the profile', () => {
  const seen = (method: string, operation?: Exchange['operation']): Pick<Finding, 'exchanges'> => {
    const message = { headers: {}, body: '', bytes: 0 }
    const request = { ...message, method, url: 'http://h/' }
    return { exchanges: [{ number: 1, actor: 'guest', request, ms: 1, ...(operation && { operation }) }] }
  }
  const ofProfile = Array.from({ length: 7 }, (_, at) =>
    sampleFinding(`sort.a${at}`, 'fail', { basis: 'profile', message: 'no', expected: '1', received: '2' }),
  )
  const findings = [
    ofProfile[0] as Finding,
    sampleFinding('wire.json-bodies', 'fail', seen('PROPFIND')),
    sampleFinding('record.id', 'fail', seen('GET', 'viewRecord')),
    sampleFinding('auth.table-by-id', 'fail', { exchanges: [] }),
    sampleFinding('table.by-id', 'fail', { exchanges: [] }),
    ...ofProfile.slice(1),
  ]
  const report = { ...sampleReport(), findings }

  it('begin with those of the document, what no documented request shows last', () => {
    const { sections, first } = outline(report, fileLimits)
    const [failed, differing] = sections
    expect(failed?.entries.map(({ name }) => name)).toEqual([
      'table.by-id',
      'record.id',
      'wire.json-bodies',
      'auth.table-by-id',
    ])
    expect(first?.text).toBe('Fix first: table.by-id, 1 other with the same cause')
    expect(failed?.entries[2]?.facts).toContainEqual({
      label: 'note',
      text: 'PROPFIND is not in the document',
    })
    expect(differing).toMatchObject({ title: 'Different from the claimed profile', form: 'whole' })
    expect(differing?.entries).toHaveLength(7)
  })

  it('are one line each on a terminal if many differ from the profile', () => {
    const lines = (verbose: boolean) => reportLines(report, { paint: createPaint(false), verbose })
    const short = lines(false)
    const at = short.indexOf('different from the claimed profile')
    expect(short[at + 1]).toBe('  ✗ sort.a0  no: expected 1, received 2')
    expect(short[at + 8]).toBe('  use --verbose to show their requests')
    expect(short).toContain('failed: 4, 7 different from the profile')
    expect(lines(true).join('\n')).toContain('unspecified: ')
    const few = { ...report, findings: findings.slice(0, 6) }
    expect(reportLines(few, { paint: createPaint(false) }).join('\n')).toContain('unspecified: ')
  })

  it('name what to fix first where only the profile differs', () => {
    const { first } = outline({ ...report, findings: ofProfile }, screenLimits)
    expect(first?.text).toBe('Fix first: sort.a0')
  })
})

describe('an operation that does not exist', () => {
  const missing = sampleFinding('operation.view-record', 'fail', { message: 'view-record does not exist' })
  const blocked = (id: string, blockedBy: string) => sampleFinding(id, 'blocked', { blockedBy })
  const page = sampleFinding('list.page', 'fail')
  const first = (...findings: Finding[]) => outline({ ...sampleReport(), findings }, screenLimits).first

  it('is to be fixed first, where more depends on it than on any other failure', () => {
    const blockedByIt = [blocked('view.record', missing.requirement), blocked('create.json', 'view.record')]
    expect(first(page, missing, ...blockedByIt)?.text).toBe(
      'Fix first: operation.view-record, which 2 others need',
    )
    expect(first(missing, blocked('view.record', missing.requirement))?.text).toMatch(/which 1 other needs$/)
    const report = { ...sampleReport(), findings: [page, missing, ...blockedByIt] }
    expect(htmlReport(report)).toMatch(
      /Fix first: <a href="#operation.view-record">.*<\/a>, which 2 others need/,
    )
  })

  it('comes after the bugs in what exists otherwise', () => {
    const other = blocked('view.record', missing.requirement)
    expect(first(page, missing)?.name).toBe('list.page')
    expect(first(page, missing, other, blocked('list.shape', 'list.page'))?.name).toBe('list.page')
    expect(first(missing)).toBeUndefined()
  })
})

it('says that the run deleted everything only if it did', () => {
  const findings = [sampleFinding('record.id', 'fail', { curl: ['curl one', 'curl two'] })]
  const next = (leftovers: RunReport['leftovers']) =>
    outline({ ...sampleReport(), findings, leftovers }, fileLimits).sections.find(
      ({ title }) => title === 'Failed',
    )?.next
  expect(next([])).toMatch(/^the run deleted what it created: run the lines in order/)
  expect(next([record])).toMatch(/^run the lines in order/)
})
