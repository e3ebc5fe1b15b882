/**
 * A report with one finding of each status, whose strings are what a hostile server could send.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Finding, Status } from '../../harness/vocabulary/finding.ts'
import type { RunReport } from '../../harness/vocabulary/report.ts'
import type { BasisCount } from '../../harness/vocabulary/verdict.ts'
import { type CoverageReport, coverageOf } from '../../validate/coverage/coverage-report.ts'

export const nasty = `</script><script>alert(1)</script>"'&<b>]]>\u0000\u0007\uD800\u202e\u2066\u200b\u2028\u{e0041} \`\`\` | *x* \n# heading`

const exchange: Exchange = {
  number: 3,
  operation: 'listRecords',
  actor: nasty,
  request: {
    method: 'GET',
    url: `http://127.0.0.1/${nasty}`,
    headers: { accept: nasty },
    body: nasty,
    bytes: 9,
  },
  response: { status: 200, headers: { 'content-type': nasty }, body: nasty, bytes: 9 },
  ms: 1.5,
}

export function sampleFinding(requirement: string, status: Status, more: Partial<Finding> = {}): Finding {
  const shown = status === 'pass' ? {} : { message: nasty, hint: nasty, expected: nasty, received: nasty }
  return {
    requirement,
    statement: nasty,
    level: 'MUST',
    basis: 'stated',
    source: '2.4',
    status,
    message: '',
    exchanges: status === 'fail' ? [exchange] : [],
    curl: status === 'fail' ? [`curl ${nasty}`] : [],
    ...(status === 'fail' && { replay: { seed: 7, path: '0:1', command: 'npx conformance --seed 7' } }),
    requests: 3,
    ms: 12,
    ...shown,
    ...more,
  }
}

const count: BasisCount = {
  counted: 3,
  passed: 1,
  failed: 1,
  warned: 1,
  observed: 1,
  notApplicable: 1,
  blocked: 1,
  untestable: 1,
  known: 1,
}

export function sampleReport(): RunReport {
  const { profile: _claimed, ...target } = { baseUrl: 'http://127.0.0.1:8090', name: nasty, profile: '' }
  return {
    suite: { name: 'record-auth-conformance', version: '0.1.0' },
    target,
    seed: 42,
    startedAt: '2024-01-02T03:04:05.006Z',
    durationMs: 1234,
    requests: 99,
    verdict: {
      outcome: 'non-conformant',
      exitCode: 1,
      document: count,
      profile: {
        ...count,
        claimed: false,
        name: 'standard',
        grades: { recommended: { counted: 1, passed: 1 }, family: { counted: 0, passed: 0 } },
      },
      lines: ['document: non-conformant 1/3, 1 fails', nasty],
    },
    findings: [
      sampleFinding('list.shape', 'pass'),
      sampleFinding('list.total-pages', 'fail'),
      sampleFinding('list.page', 'fail', { known: { reason: nasty, issue: nasty } }),
      sampleFinding('batch.order', 'warn', { level: 'SHOULD' }),
      sampleFinding('filter.and', 'observed', { basis: 'profile', source: 'filter.language' }),
      sampleFinding('batch.mixes-methods', 'not-applicable'),
      sampleFinding('create.persists', 'blocked'),
      sampleFinding('otp.once', 'untestable'),
    ],
    errors: [{ place: 'clean-up', message: nasty, stack: nasty }],
    leftovers: [{ table: 'conf_plain', id: nasty, reason: nasty }],
    smoke: {
      tables: {},
      missingTables: [],
      actors: ['guest'],
      capabilities: {},
      unlocks: [{ line: nasty, checks: 12 }],
      notes: [],
    },
    coverage: sampleCoverage(),
  }
}

/** Of a run that has seen one kind of request. */
export function sampleCoverage(): CoverageReport {
  const seen = [
    {
      status: 200,
      actor: 'guest' as const,
      parameters: ['query.page', 'query.*'],
      requirements: ['list.page', 'list.shape'],
    },
  ]
  return coverageOf({ listRecords: seen }, 3)
}
