/**
 * The notes of a report in addition to its findings: broken connections, tables that were not listed completely,
 * remaining records, rate limits, a journal that could not be written, and a run that wrote nothing.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { unproven } from '../ownership/standing-by-view.ts'
import type { RunReport } from '../vocabulary/report.ts'

/** One sentence each. Empty if no connection broke, all tables were listed, and nothing of the run remains. */
export function notesOf({
  connections,
  rateLimit,
  unlisted = [],
  leftovers,
  foreign = [],
  journalError,
  noJournal,
  sent,
}: RunReport): string[] {
  const mayBeOurs = foreign.filter(({ reason }) => reason === unproven).length
  return [
    ...(connections === undefined ? [] : [connectionsNote(connections)]),
    ...(rateLimit === undefined ? [] : [rateLimitNote(rateLimit)]),
    ...(unlisted.length === 0 ? [] : [unlistedNote(unlisted)]),
    ...(leftovers.length === 0
      ? []
      : [
          `${leftText(leftovers)} on the target; ${noJournal === true ? 'no later run tries' : 'the next run from this machine against this address tries'} to delete ${leftovers.length === 1 ? 'it' : 'them'}`,
        ]),
    ...(mayBeOurs === 0
      ? []
      : [
          `${counted(mayBeOurs, 'record was', 'records were')} left alone and may be this run's: no string in ${mayBeOurs === 1 ? 'it' : 'them'} proves it, for example because the server shortened it, or because a text under "values" in the target file has no {unique}`,
        ]),
    ...journalNotes(journalError, noJournal === true, leftovers.length),
    ...(sent?.writes === 0
      ? [
          `nothing was written: ${countOf(sent.reads, 'GET request')}, ${countOf(sent.signIns, 'sign-in')}, no other requests`,
        ]
      : []),
  ]
}

/** That there is no journal is said before the run, and again where it matters. */
function journalNotes(journalError: string | undefined, noJournal: boolean, left: number): string[] {
  if (journalError === undefined || (noJournal && left === 0)) return []
  if (noJournal) return [journalError]
  return [
    `the journal of the run is incomplete (${journalError}): the next run may not find everything that this one left`,
  ]
}

/** A record that is known only by its text may not exist. */
function leftText(leftovers: RunReport['leftovers']): string {
  const unsure = leftovers.filter(({ id }) => id === 'unknown').length
  const sure = leftovers.length - unsure
  const perhaps = `${countOf(unsure, 'record')} may remain`
  if (sure === 0) return perhaps
  return `${counted(sure, 'record remains', 'records remain')}${unsure === 0 ? '' : ` and ${perhaps}`}`
}

function connectionsNote({ broken, sentAgain, runAgain }: NonNullable<RunReport['connections']>): string {
  return [
    `${countOf(broken, 'connection')} broke: `,
    `${counted(sentAgain, 'request was sent again', 'requests were sent again')}, `,
    counted(runAgain, 'check or example was run again', 'checks or examples were run again'),
  ].join('')
}

/** Operations that a note about the rate limit names. */
const mostOperations = 3

function rateLimitNote({ rejected, operations, waitedMs }: NonNullable<RunReport['rateLimit']>): string {
  const requests = counted(rejected, 'request was', 'requests were')
  const most = Object.entries(operations)
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostOperations)
    .map(([name, count]) => `${name} (${count})`)
  const which = most.length === 0 ? '' : `, most of them ${most.join(', ')}`
  return `${requests} rejected with 429 and sent again${which}: the run waited ${Math.round(waitedMs / 1000)} s. Lift the limit for the test, or set --rate below it`
}

function unlistedNote(unlisted: NonNullable<RunReport['unlisted']>): string {
  const tables = unlisted.map(({ table, reason }) => `${table} (${reason})`).join(', ')
  return `No list showed every record of ${tables}: there the run recognized its records by their content`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
