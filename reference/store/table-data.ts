/**
 * The rows of one table, and every way to find one: ids, indexes, references. Each write keeps all of them in step.
 *
 * @module
 */

import { defaultIdPattern } from '../fields/record-id.ts'
import type { Field, Row, StoredFile, Table, UniqueIndex, Value, Values } from '../vocabulary.ts'
import { compareUtf8 } from './compare-utf8.ts'
import { indexKey } from './index-key.ts'
import { type IndexedRows, indexedRows } from './indexed-rows.ts'
import { type OrderedMap, orderedMap } from './ordered-map.ts'
import { kept, valuesInPieces } from './scan.ts'
import { UniqueViolation } from './unique-violation.ts'

/** The data of one table. */
export interface TableData {
  rows: OrderedMap<number, Row>
  /**
   * All rows in insertion order, once something has read them all: between two writes, many lists test every row. Each
   * write replaces it, so what is still being read is kept nowhere.
   */
  read: { pieces?: readonly (readonly Row[])[] }
  /** In the order of a list that is sorted by id. */
  ids: OrderedMap<string, Row>
  /** `lower-cased id + NUL + id` of every row, if ids may contain upper case. */
  folded?: OrderedMap<string, true>
  /** One per entry of `table.uniqueIndexes`, in their order. */
  uniques: OrderedMap<string, Row>[]
  /** One per entry of `table.valueIndexes`, in their order. */
  values: IndexedRows[]
  /** For each field that refers to records: `target id + NUL + padded rowid` of every referring row. */
  references: Map<string, OrderedMap<string, number>>
  files: OrderedMap<string, StoredFile>
  nextRowid: number
}

export function emptyTableData(table: Table): TableData {
  const references = new Map<string, OrderedMap<string, number>>()
  for (const field of table.fields) if (refers(table, field)) references.set(field.name, orderedMap())
  return {
    rows: orderedMap(),
    read: {},
    // Ids of the default pattern are ASCII, for which all string orders are the same.
    ids: hasCustomIds(table) ? orderedMap(compareUtf8) : orderedMap(),
    folded: hasCustomIds(table) ? orderedMap() : undefined,
    uniques: table.uniqueIndexes.map(() => orderedMap()),
    values: table.valueIndexes.map(indexedRows),
    references,
    files: orderedMap(),
    nextRowid: 1,
  }
}

/** Whether ids may contain upper case letters or characters beyond ASCII. */
function hasCustomIds(table: Table): boolean {
  const definition = table.field('id')?.definition
  return definition?.type === 'text' && definition.pattern !== defaultIdPattern
}

/** Relations, and the strings by which rows of system tables name their auth record. */
function refers(table: Table, { name, type }: Field): boolean {
  return type === 'relation' || (table.system && name === 'recordRef')
}

/** A copy for writing; the original never changes. Takes constant time. */
export function copyTableData(data: TableData): TableData {
  const references = new Map<string, OrderedMap<string, number>>()
  for (const [name, tree] of data.references) references.set(name, tree.clone())
  return {
    rows: data.rows.clone(),
    read: {},
    ids: data.ids.clone(),
    folded: data.folded?.clone(),
    uniques: data.uniques.map((tree) => tree.clone()),
    values: data.values.map((tree) => tree.clone()),
    references,
    files: data.files.clone(),
    nextRowid: data.nextRowid,
  }
}

/** @throws UniqueViolation before anything is written. */
export function insertRow(table: Table, data: TableData, values: Values): Row {
  const row: Row = { rowid: data.nextRowid, id: String(values.id), values }
  rejectDuplicates(table, data, row)
  data.nextRowid += 1
  data.read = {}
  data.rows.set(row.rowid, row)
  data.ids.set(row.id, row)
  addToIndexes(table, data, row)
  return row
}

/** @throws UniqueViolation before anything is written. */
export function replaceRow(table: Table, data: TableData, old: Row, values: Values): Row {
  const row: Row = { rowid: old.rowid, id: String(values.id), values }
  rejectDuplicates(table, data, row)
  data.read = {}
  dropFromIndexes(table, data, old)
  data.rows.set(row.rowid, row)
  if (old.id !== row.id) data.ids.delete(old.id)
  data.ids.set(row.id, row)
  addToIndexes(table, data, row)
  return row
}

export function removeRow(table: Table, data: TableData, row: Row): void {
  data.read = {}
  dropFromIndexes(table, data, row)
  data.rows.delete(row.rowid)
  data.ids.delete(row.id)
  for (const [key] of [...entriesBelow(data.files, `${row.id}\0`)]) data.files.delete(key)
}

/** All rows in insertion order. */
export function* rowsInPieces({ rows, read }: TableData): Iterable<readonly Row[]> {
  yield* read.pieces ??
    kept(valuesInPieces(rows), (all) => {
      read.pieces = all
    })
}

export function lookupRow(
  table: Table,
  data: TableData,
  index: UniqueIndex,
  values: readonly Value[],
): Row | undefined {
  const at = table.uniqueIndexes.findIndex((one) => one === index || one.name === index.name)
  const key = indexKey(index, values)
  return key === undefined ? undefined : data.uniques[at]?.get(key)
}

export function hasFoldedId(data: TableData, id: string): boolean {
  if (!data.folded) return data.ids.has(id.toLowerCase())
  for (const _ of entriesBelow(data.folded, `${id.toLowerCase()}\0`)) return true
  return false
}

export function* referringRows(data: TableData, field: Field, id: string): Iterable<Row> {
  const tree = data.references.get(field.name)
  if (!tree) return
  for (const [, rowid] of entriesBelow(tree, `${id}\0`)) {
    const row = data.rows.get(rowid)
    if (row) yield row
  }
}

export function fileKey(recordId: string, name: string): string {
  return `${recordId}\0${name}`
}

function* entriesBelow<V>(tree: OrderedMap<string, V>, prefix: string): Iterable<[string, V]> {
  for (const entry of tree.entries(prefix)) {
    if (!entry[0].startsWith(prefix)) return
    yield entry
  }
}

/**
 * The newest index is checked first and the id last: if several are violated, the client gets the error of the first.
 */
function rejectDuplicates(table: Table, data: TableData, row: Row): void {
  for (const [at, index] of [...table.uniqueIndexes.entries()].reverse()) {
    const key = keyOfRow(index, row.values)
    const holder = key === undefined ? undefined : data.uniques[at]?.get(key)
    if (!holder || holder.rowid === row.rowid) continue
    throw new UniqueViolation(
      table.name,
      index.name,
      index.columns.map((column) => column.field),
    )
  }
  const sameId = data.ids.get(row.id)
  if (sameId && sameId.rowid !== row.rowid) throw new UniqueViolation(table.name, 'id', ['id'])
}

function addToIndexes(table: Table, data: TableData, row: Row): void {
  data.folded?.set(foldedKey(row.id), true)
  for (const [at, index] of table.uniqueIndexes.entries()) {
    const key = keyOfRow(index, row.values)
    if (key !== undefined) data.uniques[at]?.set(key, row)
  }
  for (const tree of data.values) tree.set(row, undefined)
  for (const [name, tree] of data.references) {
    for (const target of targets(row.values[name])) tree.set(referenceKey(target, row.rowid), row.rowid)
  }
}

function dropFromIndexes(table: Table, data: TableData, row: Row): void {
  data.folded?.delete(foldedKey(row.id))
  for (const [at, index] of table.uniqueIndexes.entries()) {
    const key = keyOfRow(index, row.values)
    if (key !== undefined) data.uniques[at]?.delete(key)
  }
  for (const tree of data.values) tree.delete(row)
  for (const [name, tree] of data.references) {
    for (const target of targets(row.values[name])) tree.delete(referenceKey(target, row.rowid))
  }
}

function keyOfRow(index: UniqueIndex, values: Values): string | undefined {
  if (index.covers && !index.covers(values)) return undefined
  return indexKey(
    index,
    index.columns.map((column) => values[column.field] ?? null),
  )
}

function foldedKey(id: string): string {
  return `${id.toLowerCase()}\0${id}`
}

function targets(value: Value | undefined): readonly string[] {
  if (Array.isArray(value)) return value as string[]
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** Rowids are padded so that string order is insertion order. */
function referenceKey(target: string, rowid: number): string {
  return `${target}\0${String(rowid).padStart(16, '0')}`
}
