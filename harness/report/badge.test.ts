import { expect, it } from 'vitest'
import { sampleReport } from '../../test/support/sample-report.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { badgeReport } from './badge.ts'

it.each([
  ['conformant', '1/3, 1 known', 'brightgreen'],
  ['non-conformant', '1 of 3 fail', 'red'],
  ['incomplete', 'incomplete, 1/3', 'yellow'],
  ['error', 'not judged', 'lightgrey'],
] as const)('makes a badge of %s', (outcome, message, color) => {
  const report = sampleReport()
  const badge = JSON.parse(badgeReport({ ...report, verdict: { ...report.verdict, outcome } }))
  expect(badge).toEqual({ schemaVersion: 1, label: 'record-auth conformance', message, color })
})

it.each<[string, object, object, Partial<RunReport>]>([
  ['profile differs', {}, { failed: 2, warned: 1 }, { strict: true }],
  ['3 warned', { warned: 2 }, { warned: 1 }, { strict: true }],
  ['baseline is stale', { warned: 2 }, {}, {}],
  ['baseline is stale', {}, {}, { strict: true }],
])('says %s on the badge if the document is met and that fails the run', (message, own, profile, more) => {
  const report = sampleReport()
  const none = { ...report.verdict.profile, failed: 0, warned: 0 }
  const verdict = { ...report.verdict, document: { ...none, ...own }, profile: { ...none, ...profile } }
  expect(JSON.parse(badgeReport({ ...report, ...more, verdict }))).toMatchObject({ message, color: 'red' })
})
