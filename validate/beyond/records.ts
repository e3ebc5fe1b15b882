/**
 * Checks every record of a response, including expanded ones: its times, its table and, if definitions are given, its
 * own fields.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isRecordTime } from '../../spec/formats.ts'
import { type BodyObject, isShortened, type Judging, mayMean } from './judging.ts'
import { claimTableFields, judgeTableFields } from './table-fields.ts'

/** Tolerance in milliseconds. A server may read the clock twice, or store one of the two times in whole seconds. */
const tolerance = 1000

/**
 * `updated` of a record is not before its `created`. In the document's format, strings sort like the times that they
 * represent.
 */
function judgeTimes({ add, query }: Judging, record: BodyObject, path: string): void {
  if (isShortened(query, 'created') || isShortened(query, 'updated')) return
  const { created, updated } = record
  if (typeof created !== 'string' || typeof updated !== 'string' || updated >= created) return
  if (!isRecordTime(created) || !isRecordTime(updated)) return
  if (Date.parse(created) - Date.parse(updated) > tolerance)
    add('record.updated-after-created', `${path}/updated`, `not before created, ${created}`, updated)
}

/** A top-level record belongs to the table that the path names, by name or identifier. */
function judgeTable(judging: Judging, record: BodyObject, path: string, table: string): void {
  const { add, query, tables } = judging
  if (isShortened(query, 'collectionName') || isShortened(query, 'collectionId')) return
  const { collectionName, collectionId } = record
  if (typeof collectionName !== 'string') return
  const known = tables?.find(table)
  if (known?.isExact === true) {
    if (collectionName !== known.name)
      add(
        'record.collection-name',
        `${path}/collectionName`,
        `the name of the table, ${known.name}`,
        collectionName,
      )
    return
  }
  // With only one of the two keys, a path with the identifier looks like a path with another name.
  if (typeof collectionId !== 'string') return
  if (collectionName.toLowerCase() === table.toLowerCase()) return
  if (mayMean(judging, table, collectionName) || mayMean(judging, table, collectionId)) return
  add('record.collection-name', `${path}/collectionName`, `the table of the path, ${table}`, collectionName)
}

/**
 * @param table of the path; empty if it is not known
 * @param path JSON pointer of the record
 */
export function judgeRecord(judging: Judging, record: unknown, table: string, path: string): void {
  if (!isObject(record)) return
  judgeTimes(judging, record, path)
  if (table !== '') judgeTable(judging, record, path, table)
  if (judging.tables !== undefined) judgeTableFields(judging, record, path, table)
  if (record.expand !== undefined) judgeExpanded(judging, record.expand, `${path}/expand`)
}

export function judgeRecords(judging: Judging, records: readonly unknown[], table: string): void {
  let first: BodyObject | undefined
  let at = 0
  // Pointers are built only for violations: a list has thirty records and rarely a violation.
  const within: Judging = {
    ...judging,
    add: (requirement, path, expected, received) =>
      judging.add(requirement, `/items/${at}${path}`, expected, received),
  }
  for (; at < records.length; at++) {
    const record = records[at]
    judgeRecord(within, record, table, '')
    if (!isObject(record)) continue
    first ??= record
    if (typeof record.collectionId === 'string' && record.collectionId !== first.collectionId)
      judging.add(
        'record.collection-id',
        `/items/${at}/collectionId`,
        `${first.collectionId} as in the first record`,
        record.collectionId,
      )
  }
}

/** Without recursion: expansions may be nested to any depth. */
function judgeExpanded(judging: Judging, expand: unknown, path: string): void {
  const waiting: { expand: unknown; path: string }[] = [{ expand, path }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isObject(next.expand)) continue
    for (const name in next.expand) {
      const value = next.expand[name]
      const many = Array.isArray(value)
      for (const [at, record] of (many ? value : [value]).entries()) {
        if (!isObject(record)) continue
        const place = `${next.path}/${name}${many ? `/${at}` : ''}`
        judgeTimes(judging, record, place)
        if (judging.tables !== undefined) judgeTableFields(judging, record, place, '')
        if (record.expand !== undefined) waiting.push({ expand: record.expand, path: `${place}/expand` })
      }
    }
  }
}

export function claimRecords({ claim, found, tables }: Judging): void {
  claim('record.updated-after-created')
  if (found.table === '') return
  claim('record.collection-name')
  const table = tables?.find(found.table)
  if (table !== undefined) claimTableFields(claim, table)
}
