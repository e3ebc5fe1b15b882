import { describe, expect, it } from 'vitest'
import { sampleCoverage, sampleFinding } from '../../test/support/sample-report.ts'
import { coverageOf } from '../../validate/coverage/coverage-report.ts'
import type { RowsByOperation } from '../../validate/coverage/seen-rows.ts'
import { operationEntries } from '../../validate/operation-entries.ts'
import { coverageHtml } from './coverage-html.ts'
import { coverageLines, missingLines } from './coverage-lines.ts'
import { coverageMarkdown, missingMarkdown } from './coverage-markdown.ts'
import { coverageView } from './coverage-view.ts'
import { createPaint } from './paint.ts'
import { tallyOperations, tallySections } from './tally.ts'

const paint = createPaint(false)
const rows: RowsByOperation = {
  listRecords: [
    {
      status: 200,
      actor: 'guest',
      parameters: ['query.page', 'query.sort'],
      requirements: ['list.page', 'list.shape'],
    },
    { status: 200, actor: 'superuser', parameters: ['query.page'], requirements: ['list.page'] },
    { status: 400, actor: 'guest', parameters: ['query.sort', 'query.*'], requirements: ['sort.unknown'] },
    { status: 201, actor: 'unknown', parameters: [], requirements: ['list.page'] },
  ],
}
const views = coverageView(coverageOf(rows, 3))
const list = views.find(({ operation }) => operation === 'listRecords')
const whole: RowsByOperation = Object.fromEntries(
  operationEntries().map(({ id, responses, parameters, actors }) => [
    id,
    Object.keys(responses).flatMap((status) =>
      actors.map((actor) => ({
        status: Number(status),
        actor: actor as 'guest',
        parameters,
        requirements: ['a.b'],
      })),
    ),
  ]),
)

describe('the view', () => {
  it('has every operation, in the order of the description', () => {
    expect(views.map(({ operation }) => operation)).toEqual(operationEntries().map(({ id }) => id))
    expect(list).toMatchObject({ method: 'GET', path: '/collections/{table}/records' })
  })

  it('counts a requirement once for each status, actor and parameter', () => {
    expect(list?.requirements).toEqual(['list.page', 'list.shape', 'sort.unknown'])
    const status = (wanted: string) => list?.statuses.find((line) => line.status === wanted)
    expect(status('200')).toEqual({
      status: '200',
      requirements: ['list.page', 'list.shape'],
      actors: [
        { actor: 'guest', requirements: 2 },
        { actor: 'superuser', requirements: 1 },
      ],
      as: '200',
    })
    expect(status('201')?.as).toBe('2XX')
    expect(status('404')).toEqual({ status: '404', requirements: [], actors: [], as: '404' })
    expect(list?.parameters.find(({ name }) => name === 'query.sort')).toEqual({
      name: 'query.sort',
      requirements: ['list.page', 'list.shape', 'sort.unknown'],
      statuses: [200, 400],
      actors: ['guest'],
      described: true,
    })
    expect(list?.parameters.at(-1)).toMatchObject({ name: 'query.*', described: false })
    expect(list?.missingActors.map(({ actor }) => actor)).toEqual(['user', 'apiKey'])
  })
})

describe('as text', () => {
  it('is a table of statuses and one of parameters', () => {
    const text = coverageLines(views, paint).join('\n')
    expect(text).toMatch(/^listRecords {2}GET \/collections\/\{table\}\/records {2}3 requirements$/m)
    expect(text).toMatch(/^ {2}200 +2 {2}guest 2, superuser 1$/m)
    expect(text).toMatch(/^ {2}404 +- {2}not seen$/m)
    expect(text).toMatch(/^ {2}201 +1 {2}unknown 1 \(2XX\)$/m)
    expect(text).toMatch(/^ {2}query\.sort +3 {2}200 400 +guest$/m)
    expect(text).toMatch(/^ {2}query\.filter +- +not sent$/m)
    expect(text).toMatch(/^ {2}never sent by {2}user, apiKey$/m)
    expect(text).not.toContain('list.shape')
  })

  it('names the requirements if they are requested', () => {
    const text = coverageLines(views, paint, true).join('\n')
    expect(text).toMatch(/^ {4}200: list\.page, list\.shape$/m)
    expect(text).toMatch(/^ {4}query\.\*: sort\.unknown$/m)
  })

  it('lists what is missing, with each reason once', () => {
    const lines = missingLines(views, paint)
    const text = lines.join('\n')
    expect(text).toMatch(/^listRecords\n {2}statuses {4}403, 404, 413 \[1\], 429 \[2\]$/m)
    expect(text).toMatch(/^ {2}parameters {2}query\.perPage, /m)
    expect(text).toMatch(/^ {2}actors {6}user, apiKey$/m)
    const reasons = lines.slice(lines.indexOf('reasons') + 1)
    expect(reasons.map((line) => line.slice(0, 5))).toEqual([1, 2, 3, 4, 5, 6, 7].map((at) => `  [${at}]`))
    expect(text).toMatch(/^ {2}actors .*superuser \[\d\]/m)
  })

  it('shows as seen what no requirement was validated on', () => {
    const row = { status: 204, actor: 'guest' as const, parameters: [], requirements: [] }
    const deleted = coverageView(coverageOf({ deleteRecord: [row] }, 1)).filter(
      ({ operation }) => operation === 'deleteRecord',
    )
    const text = coverageLines(deleted, paint).join('\n')
    expect(text).toMatch(/^ {2}204 +0 {2}guest 0$/m)
    expect(text).not.toMatch(/^ {2}204 .*not seen/m)
  })

  it('says so if nothing is missing', () => {
    const full = coverageView(coverageOf(whole, 1))
    expect(missingLines(full, paint)).toEqual(['', 'everything that is described was seen'])
    expect(missingMarkdown(full)).toEqual(['Everything that is described was seen.'])
  })
})

it('Markdown tables have the same number of columns in every row', () => {
  for (const lines of [coverageMarkdown(views), missingMarkdown(views)]) {
    const tables = lines.filter((line) => line.startsWith('|'))
    expect(tables.length).toBeGreaterThan(20)
    for (const line of tables)
      expect(line.match(/(?<!\\)\|/g)?.length).toBe(5 - Number(isNarrow(line, lines)))
  }
  const page = coverageMarkdown(views).join('\n')
  expect(page).toMatch(
    /^\| listRecords \| 3 \| 200 201 400 \| 403, 404, 413 \(1\), 429 \(2\), `query\.perPage`, .*, user, apiKey \|$/m,
  )
  expect(page).toMatch(/^Why it is not seen:\n\n1\. .*\n2\. /m)
  expect(page).toMatch(/^## requestOtp\n[\s\S]*^Never sent by superuser\. The proof /m)
  expect(missingMarkdown(views)).toContain('| listRecords | parameter | `query.perPage` |  |')
})

/** The table of statuses has three columns, the others four. */
function isNarrow(line: string, lines: readonly string[]): boolean {
  const before = lines.slice(0, lines.indexOf(line) + 1)
  return (
    before.findLast((each) => /^\| (operation|status|parameter) \|/.test(each))?.startsWith('| status') ??
    false
  )
}

describe('as HTML', () => {
  const none = { sections: [], operations: [] }

  it('shows the findings of each section and operation as a bar with its numbers, and what was seen', () => {
    const findings = [
      sampleFinding('list.page', 'pass'),
      sampleFinding('list.shape', 'fail'),
      sampleFinding('filter.and', 'observed', { basis: 'profile', source: 'filter.language' }),
    ]
    const html = coverageHtml(sampleCoverage(), {
      sections: tallySections(findings),
      operations: tallyOperations(findings),
    })
    expect(html).toMatch(/^<section id="coverage" aria-labelledby="coverage-title">/)
    expect(html).toContain('<th scope="row">2.4 lists</th><td class="number">2</td>')
    expect(html).toContain('role="img" aria-label="1 fail, 1 pass"><rect class="pass" x="0" width="500"')
    expect(html).toMatch(
      /<th scope="row">listRecords<\/th><td class="number">2<\/td>.*<td>200<\/td><td>[^<]*429/,
    )
    expect(html).not.toMatch(/ (style|on\w+)=/)
  })

  it('shows who sent each parameter, in which status it was seen, and why a status is not', () => {
    const html = coverageHtml(sampleCoverage(), none)
    expect(html).toMatch(
      /<th scope="row">query\.page<\/th><td class="number">2<\/td><td>200<\/td><td>guest<\/td>/,
    )
    expect(html).toMatch(
      /<th scope="row">429<\/th><td class="number">-<\/td><td>not seen<\/td><td>\w[^<]{10,}/,
    )
    expect(html.match(/<details>/g)).toHaveLength(19)
  })

  it('holds whatever a file has as text', () => {
    const odd = '<img src=x onerror=alert(1)>'
    const seen = [{ status: 200, actor: 'guest' as const, parameters: [odd], requirements: [odd] }]
    const section = { name: odd, counts: [], total: 0 }
    const html = coverageHtml(coverageOf({ listRecords: seen }, 1), { ...none, sections: [section] })
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img')
  })
})
