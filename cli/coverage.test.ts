/** `conformance coverage` of files. A run without a file is in `test/main-job.test.ts`. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hasInvisible } from '../exchange/visible.ts'
import { jsonReport } from '../harness/report/json.ts'
import { commandInProcess } from '../test/support/command-in-process.ts'
import { sampleCoverage, sampleReport } from '../test/support/sample-report.ts'
import { coverageOf } from '../validate/coverage/coverage-report.ts'
import { createCoverage } from '../validate/coverage/create-coverage.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-coverage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const row = { status: 200, actor: 'guest', parameters: [], requirements: [], times: 1 }
const report = written('report.json', jsonReport(sampleReport()))

describe('conformance coverage', () => {
  it('shows a table for each operation of a report', async () => {
    const { code, out, err } = await commandInProcess(['coverage', report])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^record-auth-conformance \d\S* {2}coverage of .*, seed 42\n {2}operations {4}1 of 19/,
    )
    expect(out).toMatch(
      /^listRecords {2}GET \S+ {2}2 requirements\n {2}status +requirements +actors\n {2}200 +2 {2}guest 2$/m,
    )
    expect(out).toMatch(/^ {2}query\.page +2 +200 +guest$/m)
    // The name of a server must not control the terminal.
    expect(out.split('\n')[0]).toContain('\\u202e')
  })

  it('colors its headings, and nothing that a server names', async () => {
    const { out } = await commandInProcess(['coverage', report], { env: { FORCE_COLOR: '1', NO_COLOR: '' } })
    expect(out).toContain('\x1b[1mlistRecords\x1b[22m')
    expect(out).not.toContain('\\x1b')
    expect(out.split('\n')[0]).toContain('\\u202e')
  })

  it('shows one operation with the ids of its requirements', async () => {
    const { out } = await commandInProcess(['coverage', report, '--operation', 'listRecords'])
    expect(out).toMatch(/^ {4}200: list\.page, list\.shape$/m)
    expect(out).not.toContain('viewRecord')
  })

  it('lists what is missing, in each format', async () => {
    const text = await commandInProcess(['coverage', report, '--missing'])
    expect(text.out).toMatch(/^batch\n {2}statuses {4}.*200, /m)
    expect(text.out).toMatch(/^reasons\n {2}\[1\] /m)
    const markdown = await commandInProcess(['coverage', report, '--missing', '--format', 'markdown'])
    expect(markdown.out).toMatch(/^\| batch \| status \| 200 \| {2}\|$/m)
    const json = await commandInProcess([
      'coverage',
      report,
      '--missing',
      '--format',
      'json',
      '--operation',
      'batch',
    ])
    const [batch, ...others] = JSON.parse(json.out)
    expect(batch).toMatchObject({ operation: 'batch', whole: true, reasons: { 413: expect.any(String) } })
    expect(others).toEqual([])
  })

  it('prints the coverage of the report as JSON, and tables as Markdown', async () => {
    const json = await commandInProcess(['coverage', report, '--format', 'json'])
    expect(JSON.parse(json.out)).toEqual(sampleCoverage())
    const markdown = await commandInProcess(['coverage', report, '--format', 'markdown'])
    expect(markdown.out).toMatch(
      /^# Coverage of .*, seed 42\n\nThe run: record-auth-conformance .* requests\.\n/,
    )
    expect(markdown.out).toMatch(/^Its verdict: .+\.\n\n- operations: 1 of 19 /m)
    expect(markdown.out).toMatch(/^\| operation \|[\s\S]*\n## listRecords\n/m)
  })

  it('reads the coverage file of validated traffic', async () => {
    const coverage = createCoverage()
    const request = { url: '/?page=1', headers: {} }
    coverage.record(
      { operation: 'listRecords', table: 'notes', request, response: { status: 200, body: {} } },
      ['list.page'],
    )
    const file = written('traffic.json', coverage.report())
    const { code, out } = await commandInProcess(['coverage', file])
    expect(code).toBe(0)
    expect(out).toContain(`coverage of ${file}\n`)
    expect(out).toMatch(/^ {2}200 +1 {2}guest 1$/m)
  })

  it('exits 1 below its floor, and 3 if nothing was seen', async () => {
    const low = await commandInProcess(['coverage', report, '--fail-under', 'operations=50,parameters=0.1'])
    expect(low.err).toMatch(/^below --fail-under: operations: 1 of 19 \(5\.2%\), below 50%\n$/)
    expect(low.code).toBe(1)
    expect((await commandInProcess(['coverage', report, '--fail-under', 'operations=5'])).code).toBe(0)
    const empty = written('empty.json', { ...sampleReport(), coverage: coverageOf({}, 1) })
    expect((await commandInProcess(['coverage', empty])).code).toBe(3)
  })

  it.each<[string, string[], RegExp]>([
    [
      'no file',
      [join(folder, 'none.json')],
      /the coverage cannot be read \(ENOENT\)[\s\S]*--report json=FILE/,
    ],
    ['no JSON', [written('odd.json', '{')], /the coverage cannot be read \(/],
    [
      'a report without',
      [written('old.json', { findings: [] })],
      /the coverage cannot be read \(it has no coverage\)/,
    ],
    ['something else', [written('list.json', [1])], /it is neither a report nor a coverage file/],
    [
      'a row that is none',
      [written('row.json', { ...sampleCoverage(), seen: { listRecords: [{ status: 200 }] } })],
      /it is neither a report nor a coverage file/,
    ],
    [
      'a row with numbers for its requirements',
      [written('rows.json', { ...sampleCoverage(), seen: { listRecords: [{ ...row, requirements: [1] }] } })],
      /it is neither a report nor a coverage file/,
    ],
    [
      'no counts of operations',
      [written('counts.json', { ...sampleCoverage(), operations: undefined })],
      /it is neither a report nor a coverage file/,
    ],
    [
      'a missing part that is none',
      [written('part.json', { ...sampleCoverage(), missing: [{ operation: 'listRecords' }] })],
      /it is neither a report nor a coverage file/,
    ],
    ['an unknown operation', [report, '--operation', 'listRecord'], /Did you mean "listRecords"\?/],
    ['an unknown format', [report, '--format', 'jsn'], /Did you mean "json"\?/],
  ])('exits 2 for %s', async (_, args, message) => {
    const { code, out, err } = await commandInProcess(['coverage', ...args])
    expect(err).toMatch(message)
    expect([code, out]).toEqual([2, ''])
  })

  it('shows its options', async () => {
    const { code, out } = await commandInProcess(['coverage', '--help'])
    expect(code).toBe(0)
    expect(out).toMatchSnapshot()
  })

  it('writes invisible characters of a file so that the JSON has the same values', async () => {
    const odd = 'a\u00adb\u202e\u{e0001}'
    const operation = `${odd}c`
    const counts = { seen: 1, total: 1, percent: 100 }
    const row = { status: 200, actor: odd, parameters: [odd], requirements: [odd], times: 1 }
    const missing = [{ operation, statuses: [], parameters: [odd], actors: [] }]
    const kinds = ['operations', 'statuses', 'parameters', 'actors', 'requirements']
    const every = Object.fromEntries(kinds.map((kind) => [kind, counts]))
    const file = written('odd.json', { ...every, seen: { [operation]: [row] }, missing })
    const whole = await commandInProcess(['coverage', file, '--format', 'json'])
    expect(JSON.parse(whole.out)).toMatchObject({ seen: { [operation]: [row] }, missing })
    const parts = await commandInProcess(['coverage', file, '--format', 'json', '--missing'])
    expect(JSON.parse(parts.out)).toEqual(missing.map((each) => ({ ...each, reasons: {} })))
    expect([whole.out, parts.out].filter(hasInvisible)).toEqual([])
  })
})
