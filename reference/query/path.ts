/**
 * From a path to a term: a field, or one of a related row. Each step to another table adds a join, which `search.ts`
 * binds.
 *
 * @module
 */

import { didYouMean } from '../../spec/nearest.ts'
import { LOOKUP, RELATED } from '../limits/work.ts'
import type { Field, Row, SqlValue, Table } from '../vocabulary.ts'
import {
  type Column,
  elementList,
  elementsOf,
  lengthColumn,
  lowerColumn,
  pathColumn,
  plainColumn,
} from './column.ts'
import { type Compilation, chainOf, joinAt, tableNamed } from './compilation.ts'
import { BASE, type Frame, type FrameJoin, type JoinBinding } from './frame.ts'
import { hasUniqueIndex, rowsByKey, rowsByValue } from './keys.ts'
import { QueryError } from './query-error.ts'
import type { Searched, Seek, Term } from './term.ts'

const MAX_HOPS = 6

/** A position on a path: a table, and the join that provides a row of it (none: the row under test). */
export interface PathPlace {
  table: Table
  join: FrameJoin | undefined
  key: string
  /** Maps rows of this position to rows of the position where a key search starts. Undefined: it cannot be reversed. */
  back: ((scope: Searched, rows: Iterable<Row>) => Iterable<Row>) | undefined
  /** Join whose rows `back` returns, or `BASE`. */
  start: number
}

/** The position of the row under test. */
export function basePlace(table: Table): PathPlace {
  return { table, join: undefined, key: '', back: (_, rows) => rows, start: BASE }
}

/**
 * Resolves `field`, `relation.field`, `table_via_field.field` and paths into json and geo values
 * (contract-records 2.4) with the modifiers of 2.5.
 *
 * @throws QueryError for an unknown or hidden name, too many hops, or a modifier that does not fit.
 */
export function resolvePath(compilation: Compilation, from: PathPlace, path: string): Term {
  const names = path.split('.')
  let place = from
  for (const [hops, written] of names.entries()) {
    const isLast = hops === names.length - 1
    const [name = '', modifier, ...more] = isLast ? written.split(':') : [written]
    if (more.length > 0) throw new QueryError(`"${path}": more than one modifier.`)
    const field = place.table.field(name)
    if (field === undefined) {
      if (isLast || !name.includes('_via_')) throw unknown(path, name, place.table)
      if (hops >= MAX_HOPS) throw tooManyHops(path)
      place = hopBack(compilation, place, name, path)
      continue
    }
    rejectInvisible(compilation, field, path)
    if (isLast) return fieldTerm(compilation, place, field, modifier, path)
    if (field.column.inside) {
      return insideTerm(compilation, place, field, names.slice(hops + 1), path)
    }
    if (field.type !== 'relation') throw unknown(path, names[hops + 1] ?? '')
    if (hops >= MAX_HOPS) throw tooManyHops(path)
    const onlyId = hops === names.length - 2 && names[hops + 1] === 'id'
    if (onlyId && !field.multiple) {
      // The value is the stored id, empty if there is none. The join is only needed for its listRule, which a client
      // could otherwise bypass.
      if (compilation.mode === 'client') hop(compilation, place, field, path)
      return columnTerm(compilation, place, plainColumn(field), seekField(place, field))
    }
    place = hop(compilation, place, field, path)
  }
  throw unknown(path, path)
}

/** The position after a relation field. */
function hop(compilation: Compilation, place: PathPlace, field: Field, path: string): PathPlace {
  const target = relatedTable(compilation, field, path)
  const key = `${place.key}.${field.name}`
  const allowed = listRuleOf(compilation, target, path)
  let parent = place.join
  if (field.multiple) parent = elementJoin(compilation, place, field, `${key}[]`)
  const join = joinAt(compilation, key, () => ({
    parent: parent?.index ?? BASE,
    many: false,
    *find(binding, scope) {
      const id = typeof binding === 'string' ? binding : elementList((binding as Row).values[field.name])[0]
      const row = id === undefined ? undefined : scope.reader.get(target, id)
      if (row !== undefined) yield row
    },
    allowed,
  }))
  const { table } = place
  return {
    table: target,
    join,
    key,
    start: place.start,
    back: backThrough(place, ({ reader }, row) => reader.referrers(table, field, row.id)),
  }
}

/** The position after `table_via_field`: the rows of that table whose field contains the id. */
function hopBack(compilation: Compilation, place: PathPlace, name: string, path: string): PathPlace {
  const at = name.indexOf('_via_')
  const target = tableNamed(compilation, name.slice(0, at))
  const field = target?.field(name.slice(at + '_via_'.length))
  if (target === undefined || !pointsTo(field, place.table)) throw unknown(path, name)
  rejectInvisible(compilation, field, path)
  const allowed = listRuleOf(compilation, target, path)
  const key = `${place.key}.${target.id}_via_${field.name}`
  const join = joinAt(compilation, key, () => ({
    parent: place.join?.index ?? BASE,
    many: field.multiple || !hasUniqueIndex(target, field.name),
    find: (binding, scope) => scope.reader.referrers(target, field, (binding as Row).id),
    allowed,
  }))
  const { table } = place
  return {
    table: target,
    join,
    key,
    start: place.start,
    back: backThrough(place, ({ reader }, row) =>
      elementList(row.values[field.name]).flatMap((id) => reader.get(table, id) ?? []),
    ),
  }
}

/** Extends the way back of a position: a step to its rows first, then its own way back. */
function backThrough(
  { back }: PathPlace,
  step: (scope: Searched, row: Row) => Iterable<Row>,
): PathPlace['back'] {
  return back && ((scope, rows) => back(scope, flat(scope, rows, step)))
}

function elementJoin(compilation: Compilation, place: PathPlace, field: Field, key: string): FrameJoin {
  return joinAt(compilation, key, () => ({
    parent: place.join?.index ?? BASE,
    many: field.multiple,
    find: (binding) => elementsOf(field, (binding as Row).values[field.name]),
  }))
}

function fieldTerm(
  compilation: Compilation,
  place: PathPlace,
  field: Field,
  modifier: string | undefined,
  path: string,
): Term {
  // A JSON value is not a list: these modifiers leave it unchanged, as in the living family.
  const withoutEffect = field.column.inside && (modifier === 'length' || modifier === 'each')
  if (modifier === undefined || withoutEffect) {
    const term = columnTerm(compilation, place, plainColumn(field), seekField(place, field))
    return guardEmail(compilation, place, field, term)
  }
  if (modifier === 'lower') {
    const term = columnTerm(compilation, place, lowerColumn(plainColumn(field)))
    return guardEmail(compilation, place, field, term)
  }
  if (modifier === 'length' && field.column.list) {
    return columnTerm(compilation, place, lengthColumn(field))
  }
  if (modifier === 'each' && field.column.list) {
    const join = elementJoin(compilation, place, field, `${place.key}.${field.name}[]`)
    return bindingTerm(compilation, join, (binding) => binding as string | null, {
      affinity: 'none',
      exact: false,
      ...(field.type === 'relation' ? seekElement(place, field) : {}),
    })
  }
  throw new QueryError(`"${path}": the modifier ":${modifier}" does not fit.`)
}

function insideTerm(
  compilation: Compilation,
  place: PathPlace,
  field: Field,
  inside: string[],
  path: string,
): Term {
  // In such a path, a suffix that looks like a modifier is part of the key. Values rarely contain such a key.
  if (inside.includes('')) throw unknown(path, path)
  return columnTerm(compilation, place, pathColumn(field, inside))
}

function columnTerm(compilation: Compilation, place: PathPlace, column: Column, seek?: { seek: Seek }): Term {
  const { join } = place
  const rest = { affinity: column.affinity, exact: column.exact, ...seek }
  if (join === undefined) {
    const { read } = column
    return { joins: [], floating: false, constant: false, ...rest, read, value: ({ row }) => read(row) }
  }
  return bindingTerm(compilation, join, (binding) => column.read(binding as Row | null), rest)
}

/** A term that reads the current binding of a join. */
export function bindingTerm(
  compilation: Compilation,
  join: FrameJoin,
  read: (binding: JoinBinding) => SqlValue,
  rest: Pick<Term, 'affinity' | 'exact' | 'seek'>,
): Term {
  const chain = chainOf(compilation, join)
  const term: Term = {
    joins: chain.map((step) => step.index),
    floating: false,
    constant: false,
    ...rest,
    value: (frame) => read(frame.bound[join.index] ?? null),
  }
  if (chain.some((step) => step.many))
    term.every = (frame) => frame.once(term, () => frame.every(join).map(read))
  return term
}

/** A client can compare an email address only if it is visible (contract-records 2.4). */
function guardEmail(compilation: Compilation, place: PathPlace, field: Field, term: Term): Term {
  if (compilation.mode !== 'client' || place.table.type !== 'auth' || field.name !== 'email') return term
  const visible = (binding: JoinBinding) => (binding as Row | null)?.values.emailVisibility === true
  const { join } = place
  if (join === undefined) return { ...term, guard: (frame: Frame) => visible(frame.row) }
  return {
    ...term,
    guard: (frame: Frame) => visible(frame.bound[join.index] ?? null),
    guardEvery: (frame: Frame) => frame.every(join).every(visible),
  }
}

function seekField(place: PathPlace, field: Field): { seek: Seek } | undefined {
  const { table, back, start } = place
  if (back === undefined) return undefined
  const rows: Seek['rows'] = (scope, value) => {
    const { reader } = scope
    const own = place.join === undefined
    const found =
      rowsByKey(reader, table, field, value) ?? (own ? undefined : rowsByValue(reader, table, field, value))
    return found && back(scope, found)
  }
  return { seek: { join: start, rows, field: place.join === undefined ? field : undefined } }
}

function seekElement(place: PathPlace, field: Field): { seek: Seek } | undefined {
  const { table, back, start } = place
  if (back === undefined) return undefined
  const rows: Seek['rows'] = (scope, value) =>
    typeof value === 'number' || value === ''
      ? undefined
      : back(scope, scope.reader.referrers(table, field, value))
  return { seek: { join: start, rows } }
}

/** Hidden fields do not exist for a client; password fields exist for rules only. */
function rejectInvisible(compilation: Compilation, field: Field, path: string): void {
  if (field.hidden && compilation.mode === 'client') throw unknown(path, field.name)
  if (field.column.secret && compilation.mode !== 'rule') throw unknown(path, field.name)
}

function listRuleOf(compilation: Compilation, table: Table, path: string): FrameJoin['allowed'] {
  if (compilation.mode !== 'client' || compilation.trusts(table)) return undefined
  const rule = table.rule('listRule')
  if (rule === null) throw new QueryError(`"${path}": the table "${table.name}" is closed to the caller.`)
  return rule === '' ? undefined : compilation.ruleOf(table, rule)
}

/** The table that a relation field points to. */
export function relatedTable(compilation: Compilation, field: Field, path: string): Table {
  const { definition } = field
  const target = definition.type === 'relation' ? tableNamed(compilation, definition.collectionId) : undefined
  if (target === undefined)
    throw new QueryError(`"${path}": the table behind "${field.name}" does not exist.`)
  return target
}

function pointsTo(field: Field | undefined, table: Table): field is Field {
  return field?.definition.type === 'relation' && field.definition.collectionId === table.id
}

/** Each row once, however many paths lead to it: every step back may multiply them. */
function* flat(
  scope: Searched,
  rows: Iterable<Row>,
  next: (scope: Searched, row: Row) => Iterable<Row>,
): Iterable<Row> {
  const seen = new Set<number>()
  for (const row of rows) {
    scope.work.spend(LOOKUP)
    for (const found of next(scope, row)) {
      scope.work.spend(RELATED)
      if (seen.has(found.rowid)) continue
      seen.add(found.rowid)
      yield found
    }
  }
}

function unknown(path: string, name: string, { fields }: Pick<Table, 'fields'> = { fields: [] }): QueryError {
  const known = () => fields.filter(({ column }) => !column.secret).map((field) => field.name)
  const within = path === name ? '' : ` in "${path}"`
  return new QueryError(`Unknown name "${name}"${within}.`, () => didYouMean(name, known()))
}

function tooManyHops(path: string): QueryError {
  return new QueryError(`"${path}": more than ${MAX_HOPS} relations in a row.`)
}
