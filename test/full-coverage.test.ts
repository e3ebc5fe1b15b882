/**
 * The suite against the embedded reference, whole: it sees every described status of every operation, or
 * `spec/unseen.yaml` says why not. What is listed there and was seen after all has to leave the list.
 */

import { beforeAll, expect, it } from 'vitest'
import { isUnseen } from '../harness/report/coverage-text.ts'
import { coverageView, type StatusLine } from '../harness/report/coverage-view.ts'
import { readData } from '../spec/read-data.ts'
import { indexUnseen } from '../spec/unseen.ts'
import type { CoverageReport } from '../validate/coverage/coverage-report.ts'
import { conformance } from './support/run-command.ts'

let coverage: CoverageReport

beforeAll(async () => {
  const { code, out, err } = await conformance(['coverage', '--format', 'json', '--seed', '7'])
  expect(code, err).toBe(0)
  coverage = JSON.parse(out) as CoverageReport
}, 600_000)

it('sees every operation, and misses exactly the statuses that have a reason', () => {
  expect(coverage.operations.percent).toBe(100)
  const missing = coverage.missing.flatMap(({ operation, statuses }) =>
    statuses.map((status) => `${operation} ${status}`),
  )
  expect(missing.sort()).toEqual([...indexUnseen(readData('unseen')).keys()].sort())
})

it('sees each kind of actor, and every check send its requests', () => {
  const rows = Object.values(coverage.seen).flat()
  expect([...new Set(rows.map(({ actor }) => actor))].sort()).toEqual([
    'apiKey',
    'guest',
    'impersonated',
    'superuser',
    'unknown',
    'user',
  ])
  expect(coverage.requirements.percent).toBeGreaterThan(99)
})

it('is the page of results; `npx vitest run test/full-coverage.test.ts -u` writes it', async () => {
  const reasons: string[] = []
  const marked = ({ status, reason = '' }: StatusLine) => {
    if (!reasons.includes(reason)) reasons.push(reason)
    return `${status} (${reasons.indexOf(reason) + 1})`
  }
  const rows = coverageView(coverage).map(({ operation, statuses }) => {
    const seen = statuses
      .filter((line) => !isUnseen(line))
      .map(({ status, as }) => (as === status ? status : `${status} (${as})`))
    const absent = statuses.filter(isUnseen).map(marked)
    return `| ${operation} | ${seen.join(', ')} | ${absent.join(', ')} |\n`
  })
  const page = `# The statuses that a full run sees

\`test/full-coverage.test.ts\` writes this page: a run of all checks against the embedded reference, seed 7.

| operation | seen | described, but not seen |
| --- | --- | --- |
${rows.join('')}
Reasons, from \`spec/unseen.yaml\`:

${reasons.map((reason, at) => `${at + 1}. ${reason}\n`).join('')}`
  await expect(page).toMatchFileSnapshot('../docs/results/coverage.md')
})
