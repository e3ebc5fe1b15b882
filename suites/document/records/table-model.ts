/**
 * What a table must contain after a sequence of operations, according to the document: a value that was sent is read back
 * in some form, a field that was not sent is unchanged, a deleted record does not exist. The model ignores zero values.
 *
 * @module
 */

import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { loadTables } from '../../../spec/tables.ts'
import { hasReusedId } from '../../shared/records/expect-gone.ts'
import { sameShown, sameValue } from './same-value.ts'

const fields = loadTables().flatMap(({ definition }) => definition.fields ?? [])
/** Fields that a server may change with every update. A table of its own may have them, too. */
const MOVING = new Set(
  fields.flatMap((field) => (field.type === 'autodate' && field.onUpdate === true ? [field.name] : [])),
)
/** A server may have fields of its own, that count versions or name who wrote. */
const OURS = new Set<string>([...commonFields, ...fields.map(({ name }) => name)])
/** Fields whose value is not read back: a server may show that there is one. */
const SECRET = new Set(['password'])

export interface RecordDifference {
  field: string
  expected: unknown
  received: unknown
}

/** Differences of a freshly created record from the body that made it. Fields that were not sent may be anything. */
export function differsFromBody(record: WireRecord, body: Body): RecordDifference[] {
  return Object.entries(body)
    .filter(([field, sent]) => !SECRET.has(field) && !sameValue(field, record[field], sent))
    .map(([field, expected]) => ({ field, expected, received: record[field] }))
}

/** Differences of a record after an update from what it was before and what was sent. */
export function differsAfterUpdate(after: WireRecord, before: WireRecord, sent: Body): RecordDifference[] {
  return [...differsFromBody(after, sent), ...differsElsewhere(after, before, Object.keys(sent))]
}

/** Differences after an update in fields that it did not send. The fields that it sent are ignored. */
export function differsElsewhere(
  after: WireRecord,
  before: WireRecord,
  sent: readonly string[],
): RecordDifference[] {
  return differences(after, before, (field) => !sent.includes(field) && !MOVING.has(field))
}

/**
 * Differences of a record after operations on other records: none is allowed. Fields of the server's own may change
 * with each response.
 */
export function differsAtAll(after: WireRecord, before: WireRecord): RecordDifference[] {
  return differences(after, before, () => true)
}

function differences(actual: Body, expected: Body, asked: (field: string) => boolean): RecordDifference[] {
  const fields = new Set([...Object.keys(actual), ...Object.keys(expected)])
  return [...fields]
    .filter((field) => OURS.has(field) && asked(field) && !sameShown(field, actual[field], expected[field]))
    .map((field) => ({ field, expected: expected[field], received: actual[field] }))
}

/** The existing records and the deleted ones, as they were last read. */
export class TableModel {
  readonly live = new Map<string, WireRecord>()
  readonly #gone = new Map<string, WireRecord>()

  put(record: WireRecord): void {
    this.live.set(record.id, record)
  }

  remove(id: string): void {
    const record = this.live.get(id)
    if (record !== undefined) this.#gone.set(id, record)
    this.live.delete(id)
  }

  /** Whether a record is one of the deleted ones, not another one that was given its id since. */
  isGone(record: WireRecord): boolean {
    const gone = this.#gone.get(record.id)
    return gone !== undefined && !hasReusedId(record, gone)
  }

  /** One of the live records, chosen by any natural number. */
  pick(choice: number): WireRecord | undefined {
    return [...this.live.values()][choice % Math.max(1, this.live.size)]
  }
}
