/**
 * Every record of a response, expanded ones too: its times, its table, and with definitions its own fields.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isRecordTime } from '../../spec/formats.ts'
import { type BodyObject, isShortened, type Judging, mayMean } from './judging.ts'
import { claimTableFields, judgeTableFields } from './table-fields.ts'

/** Milliseconds. A server may read the clock twice, or store one of the two times in whole seconds. */
const tolerance = 1000

/** `updated` of a record is not before its `created`. In the form of the document, strings compare as instants do. */
function judgeTimes({ add, query }: Judging, record: BodyObject, path: string): void {
  if (isShortened(query, 'created') || isShortened(query, 'updated')) return
  const { created, updated } = record
  if (typeof created !== 'string' || typeof updated !== 'string' || updated >= created) return
  if (!isRecordTime(created) || !isRecordTime(updated)) return
  if (Date.parse(created) - Date.parse(updated) > tolerance)
    add('record.updated-after-created', `${path}/updated`, `not before created, ${created}`, updated)
}

/** A record at the top: it is of the table that the path names, by its name or by its identifier. */
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
  // Without its other half, a path with the identifier cannot be told from a path with another name.
  if (typeof collectionId !== 'string' || collectionId === table) return
  if (collectionName.toLowerCase() === table.toLowerCase()) return
  if (mayMean(judging, table, collectionName) || mayMean(judging, table, collectionId)) return
  add('record.collection-name', `${path}/collectionName`, `the table of the path, ${table}`, collectionName)
}

/**
 * @param table of the path; empty where it is not known
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
  // Pointers are written out only where something is wrong: a list has thirty records and seldom a fault.
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

/** Without recursion: expansions may be nested as deep as a server likes. */
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
