import { expect, it } from 'vitest'
import { nasty, sampleFinding, sampleReport } from '../../../test/support/sample-report.ts'
import { matrixOf } from './matrix.ts'
import { matrixHtml } from './matrix-html.ts'

const profile = { basis: 'profile', source: 'filter.language' } as const
const reports = [
  {
    name: 'one',
    report: {
      ...sampleReport(),
      findings: [
        sampleFinding('sign-in.token', 'pass', { source: '2.5, 5' }),
        sampleFinding('list.page', 'pass'),
        sampleFinding('filter.and', 'observed', { ...profile, held: true, message: '' }),
      ],
    },
  },
  {
    name: nasty,
    report: {
      ...sampleReport(),
      findings: [
        sampleFinding('list.page', 'pass'),
        sampleFinding('list.shape', 'fail'),
        sampleFinding('filter.and', 'observed', { ...profile, held: false }),
      ],
    },
  },
]
const matrix = matrixOf(reports)

it('has every requirement once, by section, and knows where the servers differ', () => {
  expect(matrix.rows.map(({ requirement, section, differs }) => [requirement, section, differs])).toEqual([
    ['list.page', '2.4', false],
    ['list.shape', '2.4', true],
    ['sign-in.token', '2.5', true],
    ['filter.and', '4.1', true],
  ])
  expect(matrix.sections.map(({ title }) => title)).toEqual([
    '2.4 lists',
    '2.5 sign-in responses',
    '4.1 record operations',
  ])
  expect(matrix.rows[1]?.cells.map(({ status }) => status)).toEqual([undefined, 'fail'])
})

it('is a page with a cell for each server, that says what was seen, and keeps it as text', () => {
  const html = matrixHtml(matrix, 'Title')
  const row = /<tr id="filter\.and" data-differs data-profile>.*?<\/tr>/s.exec(html)?.[0] ?? ''
  expect(row).toContain('<td class="observed"><abbr title="observed, as in the standard profile">·</abbr>')
  expect(row).toContain(
    '<td class="observed"><abbr title="observed, not as in the standard profile">≠</abbr>',
  )
  expect(row).toContain('observed: ')
  expect(html).toContain('4 requirements, 2 servers; 3 requirements on which they differ')
  expect(html.match(/<script>/g)).toHaveLength(1)
  expect(html).not.toMatch(/ (style|on\w+)=/)
})
