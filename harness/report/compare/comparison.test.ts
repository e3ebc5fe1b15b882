import { describe, expect, it } from 'vitest'
import { nasty, sampleFinding, sampleReport } from '../../../test/support/sample-report.ts'
import type { Finding, Status } from '../../vocabulary/finding.ts'
import type { RunReport } from '../../vocabulary/report.ts'
import { createPaint } from '../paint.ts'
import { comparisonHtml, comparisonJson, comparisonLines, comparisonMarkdown } from './compare-formats.ts'
import { compareReports, type FindingChange } from './comparison.ts'

const report = (findings: Finding[]): RunReport => ({ ...sampleReport(), findings })
const finding = (status: Status, more: Partial<Finding> = {}) =>
  sampleFinding('list.page', status, { message: status === 'pass' ? '' : 'it is wrong', ...more })

describe('what changed for a requirement', () => {
  it.each<[Finding | undefined, Finding | undefined, FindingChange | undefined, boolean]>([
    [finding('pass'), finding('pass'), undefined, false],
    [finding('pass'), finding('fail'), 'broke', true],
    [finding('pass'), finding('warn'), 'broke', true],
    [finding('warn'), finding('fail'), 'broke', true],
    [finding('fail'), finding('warn'), 'changed', false],
    [finding('untestable'), finding('fail'), 'broke', true],
    [finding('observed', { held: false }), finding('fail'), 'broke', true],
    [finding('pass'), finding('blocked'), 'lost', true],
    [finding('pass'), finding('not-applicable'), 'lost', true],
    [finding('pass'), finding('observed', { held: true }), 'changed', false],
    [finding('fail'), finding('pass'), 'fixed', false],
    [finding('untestable'), finding('pass'), 'changed', false],
    [finding('observed', { held: true }), finding('observed', { held: false }), 'changed', false],
    [finding('untestable'), finding('untestable', { message: 'another reason' }), undefined, false],
    [undefined, finding('fail'), 'new', false],
    [finding('pass'), undefined, 'gone', false],
  ])('%#', (before, after, change, worse) => {
    const of = (one: Finding | undefined) => report(one === undefined ? [] : [one])
    const comparison = compareReports(of(before), of(after))
    expect([comparison.differences[0]?.change, comparison.worse]).toEqual([change, worse])
    expect(comparison.same).toBe(change === undefined ? 1 : 0)
  })

  it('is nothing where only ids, numbers and addresses differ, and something where the words do', () => {
    const say = (message: string) => report([finding('fail', { message })])
    const one = say('record abc123def456ghi has 3 fields at http://127.0.0.1:80/a')
    const same = say('record zzz999yyy888xxx has 12 fields at http://127.0.0.1:99/b')
    expect(compareReports(one, same).differences).toEqual([])
    expect(compareReports(one, say('no record')).differences[0]?.change).toBe('changed')
    const [first, then] = [say('no record (seen in view.one)'), say('no record (seen in list.page)')]
    expect(compareReports(first, then).differences).toEqual([])
    expect(compareReports(first, say('no record (omitted: 1 earlier request)')).differences).toEqual([])
  })
})

it('is worse where the second run ended in an error, and notes what makes two reports unlike', () => {
  const after = { ...sampleReport(), suite: { name: 'record-auth-conformance', version: '9.0.0' } }
  const ended = { ...after, verdict: { ...after.verdict, outcome: 'error' as const } }
  const comparison = compareReports(sampleReport(), ended)
  expect(comparison.worse).toBe(true)
  expect(comparison.notes).toEqual([
    'the versions of the suite differ: 0.1.0 before, 9.0.0 after',
    'the outcomes of the runs differ: non-conformant before, error after',
  ])
})

describe('every format says the same in the same order', () => {
  const before = report([
    sampleFinding('a.broke', 'pass'),
    sampleFinding('a.fixed', 'fail'),
    sampleFinding('a.gone', 'pass'),
    sampleFinding('a.lost', 'pass'),
    sampleFinding('a.odd', 'warn'),
    sampleFinding('a.same', 'pass'),
  ])
  const after = report([
    sampleFinding('a.broke', 'fail'),
    sampleFinding('a.fixed', 'pass'),
    sampleFinding('a.lost', 'untestable'),
    sampleFinding('a.odd', 'untestable'),
    sampleFinding('a.new', 'observed'),
    sampleFinding('a.same', 'pass'),
  ])
  const comparison = compareReports(before, after)
  const titles = ['Broke', 'No longer judged', 'Fixed', 'Changed', 'New', 'Gone']

  it('text', () => {
    const lines = comparisonLines(comparison, createPaint(false))
    const headings = titles.map((title) => `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`)
    expect(lines.filter((line) => headings.includes(line))).toEqual(headings)
    expect(lines).toContain(
      'got worse: 1 broke, 1 no longer judged, 1 fixed, 1 changed, 1 new, 1 gone, 1 the same',
    )
    expect(lines).toContain('    before    pass')
  })

  it('Markdown', () => {
    const text = comparisonMarkdown(comparison)
    expect([...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual(titles)
    expect(text).toContain('- `a.gone` pass: was pass')
    expect(text).toContain('- `a.fixed` pass: pass; before: fail: &lt;/script&gt;')
  })

  it('Markdown that fits into a comment on GitHub, however much differs', () => {
    const many = (status: Status, count: number) =>
      Array.from({ length: count }, (_, at) =>
        sampleFinding(`${at < 400 ? 'a' : 'b'}.n${at}`, status, {
          message: '漢&'.repeat(5_000),
          received: 'x'.repeat(9_000),
        }),
      )
    const [one, other] = [
      [...many('pass', 400), ...many('fail', 800).slice(400)],
      [...many('fail', 400), ...many('pass', 800).slice(400)],
    ]
    const text = comparisonMarkdown(compareReports(report(one), report(other)))
    expect(text.length).toBeLessThan(65_536)
    expect(text.match(/^- and \d+ more$/gm)).toHaveLength(2)
    expect(text.match(/<details>/g)?.length).toBeGreaterThan(3)
  })

  it('HTML, with all that a server sent as text', () => {
    const html = comparisonHtml(comparison)
    expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(titles)
    expect(html.match(/<script>/g)).toHaveLength(1)
    expect(html).not.toContain(nasty)
  })

  it('JSON', () => {
    const { worse, differences } = JSON.parse(comparisonJson(comparison))
    expect(worse).toBe(true)
    expect(differences).toContainEqual({
      requirement: 'a.lost',
      change: 'lost',
      before: 'pass',
      after: 'untestable',
      message: nasty,
    })
  })
})
