/** Every report says what was run again or cut short, how many connections broke, and how many records remain. */

import { expect, it } from 'vitest'
import { sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import { unproven } from '../ownership/standing-by-view.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { notesOf } from './notes.ts'
import { createPaint } from './paint.ts'
import { reportLines } from './terminal.ts'

const retried = 'the check was run again: the connection was reset at request 12'
const report = {
  ...sampleReport(),
  findings: [
    sampleFinding('list.shape', 'pass', { retried }),
    sampleFinding('list.sort', 'fail', { retried }),
    sampleFinding('list.page', 'pass', { examples: { run: 7, of: 25 } }),
  ],
  unlisted: [{ table: 'items', reason: 'its list returned 403' }],
  connections: { broken: 3, sentAgain: 1, runAgain: 2 },
  rateLimit: {
    rejected: 240,
    operations: { requestOtp: 3, listRecords: 1, authWithPassword: 220, viewRecord: 2 },
    waitedMs: 61_600,
  },
  journalError: 'ENOSPC: no space left on device, write',
  leftovers: ['a', 'b'].map((id) => ({ table: 'plain', id, reason: 'the target stopped responding' })),
}
const paint = createPaint(false)
const broke = '3 connections broke: 1 request was sent again, 2 checks or examples were run again'
const limited =
  '240 requests were rejected with 429 and sent again, most of them authWithPassword (220), requestOtp (3), viewRecord (2): the run waited 62 s. Lift the limit for the test, or set --rate below it'
const unlisted = 'No list showed every record of items (its list returned 403)'
const cutShort = '7 of 25 ran within the time limit'
const incomplete = 'the journal of the run is incomplete (ENOSPC: no space left on device, write)'
const remain = '2 records remain on the target; the next run from this machine'

it('has no notes for a run on good connections that left nothing', () => {
  expect(
    notesOf({
      ...report,
      connections: undefined,
      rateLimit: undefined,
      unlisted: undefined,
      leftovers: [],
      journalError: undefined,
    }),
  ).toEqual([])
})

it('promises no deletion by a later run where there is no journal', () => {
  const none = { ...report, journalError: 'no journal could be written (EACCES)', noJournal: true }
  expect(notesOf(none).slice(-2)).toEqual([
    '2 records remain on the target; no later run tries to delete them',
    'no journal could be written (EACCES)',
  ])
  expect(notesOf({ ...none, leftovers: [] })).not.toContain('no journal could be written (EACCES)')
})

it('counts what a run sent that wrote nothing', () => {
  expect(notesOf({ ...report, sent: { reads: 1, signIns: 2, writes: 0 } }).at(-1)).toBe(
    'nothing was written: 1 GET request, 2 sign-ins, no other requests',
  )
})

it.each([
  [
    ['unknown'],
    '1 record may remain on the target; the next run from this machine against this address tries to delete it',
  ],
  [['a', 'unknown', 'unknown'], '1 record remains and 2 records may remain on the target; the next run'],
])('counts the records that may exist apart: %j', (ids, text) => {
  const leftovers = ids.map((id) => ({
    table: 'plain',
    id,
    reason: 'guests cannot see the record: it may exist',
  }))
  expect(notesOf({ ...report, leftovers }).join('\n')).toContain(text)
})

it('counts the records that may be this run’s, of those that were left alone', () => {
  const left = (...reasons: string[]) =>
    notesOf({ ...report, foreign: reasons.map((reason, at) => ({ table: 'plain', id: `r${at}`, reason })) })
  const existed = 'it existed before the run'
  expect(left(existed).join()).not.toContain('left alone')
  expect(left(existed, unproven)).toContainEqual(
    '1 record was left alone and may be this run\'s: no string in it proves it, for example because the server shortened it, or because a text under "values" in the target file has no {unique}',
  )
  expect(left(unproven, unproven)).toContainEqual(
    expect.stringMatching(/^2 records were left alone and may be this run's: no string in them /),
  )
})

it.each([
  ['terminal', reportLines(report, { paint }).join('\n')],
  ['markdown', markdownReport(report)],
  ['html', htmlReport(report)],
])('%s contains all notes', (_, text) => {
  for (const part of [retried, broke, limited, unlisted, remain, incomplete, cutShort])
    expect(text).toContain(part)
  // The check that passed, and the one that failed.
  expect(text.split(retried).length).toBeGreaterThan(2)
})

it('--quiet hides neither the count of what remains nor of what broke', () => {
  const text = reportLines(report, { paint, quiet: true }).join('\n')
  expect(text).toContain(remain)
  expect(text).toContain(broke)
})

it('json and junit contain the notes of each finding', () => {
  const { findings } = JSON.parse(jsonReport(report)) as { findings: { requirement: string }[] }
  expect(findings).toEqual([
    expect.objectContaining({ requirement: 'list.page', examples: { run: 7, of: 25 } }),
    expect.objectContaining({ requirement: 'list.shape', retried }),
    expect.objectContaining({ requirement: 'list.sort', retried }),
  ])
  expect(junitReport(report)).toContain(`<property name="examples" value="${cutShort}"/>`)
  expect(junitReport(report).split(`<property name="retried" value="${retried}"/>`)).toHaveLength(3)
})
