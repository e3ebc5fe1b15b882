/**
 * Finds the related records that `expand` names, level by level, once the rows of a response are selected. Only records
 * that the caller may view are included.
 *
 * @module
 */

import type { Field, Json, Row, Table } from '../vocabulary.ts'
import { elementList } from './column.ts'
import { hasUniqueIndex } from './keys.ts'
import { type PathTree, parseExpand } from './parse-expand.ts'
import { satisfies } from './rule.ts'
import { keyCovers, type Scope } from './scope.ts'

const MAX_BACK_RELATED = 1000

/** Creates the response form of a record, with `expand` in it unless that is undefined. */
export type Render = (
  row: Row,
  table: Table,
  expand: Record<string, Json> | undefined,
  scope: Scope,
) => { [key: string]: Json }

/** Related rows of one row, by their name in the response. */
type Expansion = Map<string, Related>

interface Related {
  table: Table
  single: boolean
  entries: { row: Row; expansion: Expansion | undefined }[]
}

/** A step of a path: its table and the rows that it finds. */
interface Step {
  target: Table
  single: boolean
  find(row: Row): Iterable<Row>
}

interface ExpandOptions {
  /** As the client sent it. */
  text: string
  /** Most names in the parameter. @default any number */
  mostNames?: number
  /** Receives the number of records found for one record before they are collected: each of them will be shown. */
  found?: (records: number) => void
}

/**
 * Related records for the `expand` key of any of the rows (contract-records 1.6). An empty object if a path is valid
 * but shows nothing, undefined if no path is valid. A path with an invalid step shows nothing and is never an error.
 * For all but superusers, a hidden relation is an invalid step (`expand.syntax` in docs/profile.md).
 */
export function expandRecords(
  rows: readonly Row[],
  table: Table,
  { text, mostNames = Number.POSITIVE_INFINITY, found = () => {} }: ExpandOptions,
  scope: Scope,
  render: Render,
): (row: Row) => Record<string, Json> | undefined {
  const inside: Scope = { ...scope, request: { ...scope.request, context: 'expand' } }
  const expansions = expandTree(rows, table, parseExpand(text, mostNames), inside, found)
  return (row) => toJson(expansions?.get(row), inside, render)
}

/** Undefined if all paths are invalid. */
function expandTree(
  rows: readonly Row[],
  table: Table,
  tree: PathTree,
  scope: Scope,
  tell: (records: number) => void,
): Map<Row, Expansion> | undefined {
  const found = new Map<Row, Expansion>(rows.map((row) => [row, new Map()]))
  if (rows.length === 0) return found
  let whole = false
  for (const [name, below] of tree) {
    scope.work.spend(1)
    const step = stepOf(table, name, scope)
    if (step === undefined) continue
    const related = follow(rows, step, scope, tell)
    if (related === undefined) continue
    const reached = [...new Set([...related.values()].flat())]
    const nested = below.size === 0 ? undefined : expandTree(reached, step.target, below, scope, tell)
    if (below.size > 0 && nested === undefined) continue
    whole = true
    for (const [row, others] of related) {
      const entries = others.map((each) => ({ row: each, expansion: nested?.get(each) }))
      if (entries.length > 0) found.get(row)?.set(name, { table: step.target, single: step.single, entries })
    }
  }
  return whole ? found : undefined
}

/** The rows that a step leads to from each row, if the caller may view them; undefined if the caller may view none. */
export function follow(
  rows: readonly Row[],
  { target, find }: Step,
  scope: Scope,
  tell: (records: number) => void,
): Map<Row, readonly Row[]> | undefined {
  const open = scope.superuser || keyCovers(scope.request, target, 'view')
  const rule = target.rule('viewRule')
  if (!open && rule === null) return undefined
  const visible = new Map<Row, boolean>()
  const isVisible = (row: Row): boolean => {
    const known = visible.get(row) ?? (open || satisfies(target, rule, row, { ...scope, table: target }))
    visible.set(row, known)
    return known
  }
  const related = new Map<Row, readonly Row[]>()
  for (const row of rows) {
    // Starting a search costs more than reading its results.
    scope.work.spend(8)
    const found: Row[] = []
    for (const other of find(row)) {
      scope.work.spend(1)
      if (isVisible(other)) found.push(other)
    }
    tell(found.length)
    related.set(row, found)
  }
  return related
}

/** The step that a name means; undefined for any name but that of a relation that the caller may see. */
export function stepOf(table: Table, name: string, scope: Scope): Step | undefined {
  const direct = table.field(name)
  if (direct !== undefined) return visibleRelation(direct, scope) ? forward(direct, scope) : undefined
  const [from, by] = backRelation(name)
  const target = scope.reader.table(from)
  const field = target?.field(by)
  if (target === undefined || field === undefined || !visibleRelation(field, scope)) return undefined
  if (field.definition.type !== 'relation' || field.definition.collectionId !== table.id) return undefined
  return {
    target,
    single: !field.multiple && hasUniqueIndex(target, field.name),
    *find(row) {
      let count = 0
      for (const referrer of scope.reader.referrers(target, field, row.id)) {
        if (count >= MAX_BACK_RELATED) return
        count += 1
        yield referrer
      }
    },
  }
}

/** Names of the table and the field in `table_via_field` or `table(field)`; empty for any other name. */
function backRelation(name: string): [table: string, field: string] {
  const at = name.lastIndexOf('_via_')
  if (at >= 0) return [name.slice(0, at), name.slice(at + '_via_'.length)]
  const [, table = '', field = ''] = /^(\w+)\((\w+)\)$/.exec(name) ?? []
  return [table, field]
}

function forward(field: Field, scope: Scope): Step | undefined {
  const { definition } = field
  const target = definition.type === 'relation' ? scope.reader.table(definition.collectionId) : undefined
  if (target === undefined) return undefined
  return {
    target,
    single: !field.multiple,
    find: (row) => elementList(row.values[field.name]).flatMap((id) => scope.reader.get(target, id) ?? []),
  }
}

function visibleRelation(field: Field, scope: Scope): boolean {
  return field.type === 'relation' && (scope.superuser || !field.hidden)
}

function toJson(
  expansion: Expansion | undefined,
  scope: Scope,
  render: Render,
): Record<string, Json> | undefined {
  if (expansion === undefined) return undefined
  const object: Record<string, Json> = {}
  for (const [name, { table, single, entries }] of expansion) {
    const shown = entries.map((entry) =>
      render(entry.row, table, toJson(entry.expansion, scope, render), scope),
    )
    object[name] = single ? (shown[0] ?? null) : shown
  }
  return object
}
