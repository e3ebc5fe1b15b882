/**
 * How much of a report each medium shows. Omissions are counted, never silent.
 *
 * @module
 */

export interface ReportLimits {
  /** Entries of a section. */
  entries: number
  /** Entries of a section that may have hundreds: a server that rejects every delete leaves as many records. */
  rows: number
  /** Reasons for which something was not judged: each has a row with its ids. */
  reasons: number
  /** Ids in one row. */
  names: number
  /** Requests of a finding, the last ones. A counterexample is already shrunk and is always shown in full. */
  requests: number
  /** Characters of one request as a curl line. */
  curl: number
  /** Characters of a message in a row. */
  message: number
  /** Characters of a value. `Infinity`: unchanged, with its line breaks. */
  value: number
  /** Differences from the profile for each topic that the document leaves open. */
  differences: number
  /** Failures that only the claimed profile sees, in full. If there are more, each is one line. */
  wholeDifferences: number
  /** Failures that fit on one screen. If there are more, their ids are repeated at the end. */
  onAScreen: number
  /** Whether to show headers and bodies of the exchanges. */
  exchanges: boolean
}

const all = Number.POSITIVE_INFINITY

/** The first entries, and the number that is left out: never one, since "and 1 more" is as long as the entry. */
export function atMost<Item>(items: readonly Item[], most: number): { shown: readonly Item[]; more: number } {
  const shown = items.length <= most + 1 ? items : items.slice(0, most)
  return { shown, more: items.length - shown.length }
}

/** A terminal: all failures, and the beginning of long values. */
export const screenLimits: ReportLimits = {
  entries: all,
  rows: 10,
  reasons: 3,
  names: 8,
  requests: 8,
  curl: 1_000,
  message: 240,
  value: 400,
  differences: 0,
  wholeDifferences: 5,
  onAScreen: 3,
  exchanges: false,
}

/** The summary of a CI job, or a comment on a change. */
export const summaryLimits: ReportLimits = {
  ...screenLimits,
  entries: 50,
  rows: 50,
  reasons: all,
  requests: all,
  curl: all,
  message: 300,
  value: all,
  wholeDifferences: all,
  onAScreen: all,
}

/** A file with search and folding: everything. */
export const fileLimits: ReportLimits = {
  entries: all,
  rows: all,
  reasons: all,
  names: all,
  requests: all,
  curl: all,
  message: all,
  value: all,
  differences: all,
  wholeDifferences: all,
  onAScreen: all,
  exchanges: true,
}
