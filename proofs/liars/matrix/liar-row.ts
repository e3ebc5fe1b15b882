/**
 * What the liars' matrix says, and how a row of it follows from a run.
 *
 * @module
 */

import type { InProcessRun } from '../../../harness/engine/run-in-process.ts'
import type { Finding } from '../../../harness/vocabulary/finding.ts'
import type { Leftover } from '../../../harness/vocabulary/report.ts'
import type { ForeignPlace, ForeignRecords } from '../foreign-records.ts'
import type { Liar } from '../liar.ts'

/** `claimed`: as superuser, with the standard profile. `bare`: nothing claimed, and no superuser. */
export type LiarMode = 'claimed' | 'bare'

export interface LiarRow {
  liar: string
  mode: LiarMode
  /** Foreign records before the run, what the server removed or changed itself not counted. */
  foreign: number
  /** What the server did to foreign records itself. */
  byServer: number
  /** Foreign records that were deleted, and that were changed: `table/id`. */
  lost: string[]
  changed: string[]
  /** Records of the run that are still there. */
  left: number
  /** The ones that the run's report does not name: `table/id`. */
  unnamed: string[]
  /** Records that the report names as left alone, since they are not shown to be the run's own. */
  alone: number
  /** Requirements that failed, or that an observation says to differ. */
  tells: string[]
  /** Exceptions of ours, and why the run ended early. */
  errors: string[]
  requests: number
  ms: number
}

export interface LiarOutcome {
  /** An exception that ended it is an error of ours, too. */
  run: InProcessRun | Error
  foreign: ForeignRecords
  /** The name of a table by its name in any letter case, or by its id. */
  nameOf(table: string): string
  ms: number
}

export function liarRow({ name }: Pick<Liar, 'name'>, mode: LiarMode, outcome: LiarOutcome): LiarRow {
  const { run, foreign, ms, nameOf } = outcome
  const others = foreign.others()
  const reported = run instanceof Error ? undefined : run
  const leftovers = reported?.session.cleanup.leftovers.all ?? []
  const alone = reported?.session.ownership.foreign ?? []
  return {
    liar: name,
    mode,
    foreign: foreign.count,
    byServer: foreign.byServer,
    ...foreign.damage(),
    left: others.length,
    unnamed: unnamedOf(others, [...leftovers, ...alone], nameOf),
    alone: alone.length,
    tells: reported?.findings.filter(isReported).map(({ requirement }) => requirement) ?? [],
    errors: run instanceof Error ? [run.stack ?? run.message] : errorsOf(run),
    requests: reported?.requests ?? 0,
    ms,
  }
}

function errorsOf({ errors, ended }: InProcessRun): string[] {
  return [
    ...errors.map(({ place, message }) => `${place}: ${message}`),
    ...(ended === undefined ? [] : [`the run ended early: ${ended}`]),
  ]
}

/** Whether the run touched foreign records, left records without reporting them, or had no verdict. */
export function isBad({ lost, changed, unnamed, errors }: LiarRow): boolean {
  return lost.length + changed.length + unnamed.length + errors.length > 0
}

/**
 * Records that no entry of the report names. An entry represents one record of its table: for the one with its id, or
 * for one that holds the string which the entry quotes; without an id, for any.
 */
export function unnamedOf(
  records: readonly (ForeignPlace & { text: string })[],
  entries: readonly Leftover[],
  nameOf: (table: string) => string,
): string[] {
  // A liar may show ids in other letters than those that it keeps.
  const named = new Set(entries.map(({ table, id }) => `${nameOf(table)}/${id}`.toLowerCase()))
  let open = records.filter(({ table, id }) => !named.has(`${table}/${id}`.toLowerCase()))
  const own = new Set(records.map(({ table, id }) => `${table}/${id}`.toLowerCase()))
  const vague = entries.filter(({ table, id }) => !own.has(`${nameOf(table)}/${id}`.toLowerCase()))
  const strike = (fits: (record: ForeignPlace & { text: string }, entry: Leftover) => boolean) => {
    for (const entry of [...vague]) {
      const found = open.find((record) => record.table === nameOf(entry.table) && fits(record, entry))
      if (found === undefined) continue
      open = open.filter((record) => record !== found)
      vague.splice(vague.indexOf(entry), 1)
    }
  }
  strike(({ text }, { reason }) =>
    (reason.match(/[\w.]*-[a-z0-9]{9,}/g) ?? []).some((word) => text.includes(word)),
  )
  strike((_, { id }) => id === 'unknown')
  return open.map(({ table, id }) => `${table}/${id}`)
}

function isReported({ status, message }: Finding): boolean {
  return status === 'fail' || status === 'warn' || (status === 'observed' && message !== '')
}
