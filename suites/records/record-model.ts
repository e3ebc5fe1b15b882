/**
 * What a table must hold after a sequence of operations, as far as the document tells: a value that was sent is read
 * back, a field that was not sent stays as it was, a deleted record is gone. Knows nothing of zero values or formats.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import type { Body, WireRecord } from '../../harness/vocabulary/api.ts'

/** Fields that a server may change by itself with every update. */
const MOVING = new Set(['updated', 'stamp'])
/** Fields whose value is never read back. */
const SECRET = new Set(['password'])

export interface Difference {
  field: string
  expected: unknown
  received: unknown
}

/** Differences of a freshly created record from the body that made it. Fields that were not sent may be anything. */
export function differsFromBody(record: WireRecord, body: Body): Difference[] {
  return Object.entries(body)
    .filter(([field, sent]) => !SECRET.has(field) && !isDeepStrictEqual(record[field], sent))
    .map(([field, expected]) => ({ field, expected, received: record[field] }))
}

/** Differences of a record after an update from what it was before and what was sent. */
export function differsAfterUpdate(after: WireRecord, before: WireRecord, sent: Body): Difference[] {
  const expected: Body = { ...before }
  for (const [field, value] of Object.entries(sent)) if (!SECRET.has(field)) expected[field] = value
  return differences(after, expected, MOVING)
}

/** Differences of a record from what it was, after operations that did not concern it: none is allowed. */
export function differsAtAll(after: WireRecord, before: WireRecord): Difference[] {
  return differences(after, before, new Set())
}

function differences(actual: Body, expected: Body, ignored: ReadonlySet<string>): Difference[] {
  const fields = new Set([...Object.keys(actual), ...Object.keys(expected)])
  return [...fields]
    .filter((field) => !ignored.has(field) && !isDeepStrictEqual(actual[field], expected[field]))
    .map((field) => ({ field, expected: expected[field], received: actual[field] }))
}

/** The records that live and the ids that are gone. Live records are kept as they were last read. */
export class TableModel {
  readonly live = new Map<string, WireRecord>()
  readonly gone = new Set<string>()

  put(record: WireRecord): void {
    this.live.set(record.id, record)
  }

  remove(id: string): void {
    this.live.delete(id)
    this.gone.add(id)
  }

  /** One of the live records, chosen by any natural number. */
  pick(choice: number): WireRecord | undefined {
    return [...this.live.values()][choice % Math.max(1, this.live.size)]
  }
}
