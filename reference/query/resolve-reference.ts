/**
 * From `@request.…` and `@collection.…` to a term. Rules and superusers may use them; no client may.
 *
 * @module
 */

import type { Field, Json, RequestInfo, SqlValue, Table, Value } from '../vocabulary.ts'
import { elementList, elementsOf, lowerValue, valueAt } from './column.ts'
import { type Compilation, joinAt, tableNamed } from './compilation.ts'
import { type Frame, NOWHERE } from './frame.ts'
import { jsonText } from './json-text.ts'
import { basePlace, bindingTerm, type PathPlace, relatedTable, resolvePath } from './path.ts'
import { QueryError } from './query-error.ts'
import { callerRow } from './scope.ts'
import { numberOf, sqlValue } from './sql-value.ts'
import { literalTerm, requestTerm, type Term } from './term.ts'

/** Fields of the caller that are read from the token's record itself. */
export const directFields: ReadonlySet<string> = new Set([
  'id',
  'collectionId',
  'collectionName',
  'email',
  'emailVisibility',
  'verified',
])

/**
 * Resolves `@request.…` and `@collection.…` (contract-records 5.3). A value that the request does not contain is
 * missing.
 *
 * @throws QueryError for an unknown part, or a modifier that does not fit.
 */
export function resolveReference(compilation: Compilation, name: string): Term {
  const [root, part = '', ...rest] = name.split('.')
  if (compilation.mode === 'client') throw new QueryError(`"${name}": not for this caller.`)
  if (root === '@collection') return collectionTerm(compilation, name, part, rest)
  if (root !== '@request') throw new QueryError(`Unknown name "${name}".`)
  if (rest.length === 0) {
    if (part === 'context') return requestTerm((frame) => frame.scope.request.context)
    if (part === 'method') return requestTerm((frame) => frame.scope.request.method)
    throw new QueryError(`Unknown name "${name}".`)
  }
  switch (part) {
    case 'query':
    case 'headers':
      return textTerm(compilation, name, part, rest)
    case 'body':
      return bodyTerm(compilation, name, rest)
    case 'auth':
      return callerTerm(compilation, name, rest)
    default:
      throw new QueryError(`Unknown name "${name}".`)
  }
}

/** Removes the modifier from the last name. */
function splitModifier(name: string, names: string[]): { path: string[]; modifier: string | undefined } {
  const [last = '', modifier, ...more] = (names.at(-1) ?? '').split(':')
  const path = [...names.slice(0, -1), last]
  if (more.length > 0 || path.some((step) => step === '' || step.includes(':'))) {
    throw new QueryError(`"${name}": malformed name.`)
  }
  return { path, modifier }
}

function textTerm(compilation: Compilation, name: string, part: 'query' | 'headers', names: string[]): Term {
  const { path, modifier } = splitModifier(name, names)
  const key = path.length === 1 ? (path[0] as string) : undefined
  const all = ({ scope: { request } }: Frame) => (part === 'query' ? request.query : request.headers())
  const has = (frame: Frame) => key !== undefined && Object.hasOwn(all(frame), key)
  if (modifier === 'isset') return requestTerm((frame) => (has(frame) ? 1 : 0), false)
  const numeric = compilation.table.field(path.at(-1) ?? '')?.column.numeric
  const value = (frame: Frame) => asNumber(key !== undefined && has(frame) ? all(frame)[key] : null, numeric)
  return lowered(name, modifier, value)
}

function bodyTerm(compilation: Compilation, name: string, names: string[]): Term {
  const { path, modifier } = splitModifier(name, names)
  const [key = '', ...inside] = path
  const { table } = compilation
  const field = table.field(key)
  const whole = (frame: Frame) => bodyValue(frame.scope.request, key)

  if (modifier === 'isset') {
    if (inside.length === 0) return requestTerm((frame) => (frame.scope.request.sent.has(key) ? 1 : 0), false)
    return requestTerm((frame) => (valueAt(whole(frame) as Json, inside) === undefined ? 0 : 1), false)
  }
  if (modifier === 'changed') {
    if (field === undefined || inside.length > 0) throw new QueryError(`"${name}": not a field of the table.`)
    return requestTerm((frame) => (isChanged(table, frame, key) ? 1 : 0), false)
  }
  if (field?.column.list && inside.length === 0) {
    if (modifier === 'length') return requestTerm((frame) => elementList(whole(frame)).length, false)
    if (modifier === 'each') return eachTerm(compilation, field)
  }
  if (field?.type === 'relation' && inside.length > 0) {
    const rest = [...inside.slice(0, -1), names.at(-1) ?? ''].join('.')
    return resolvePath(compilation, bodyRelation(compilation, field, name), rest)
  }
  const numeric = table.field(path.at(-1) ?? '')?.column.numeric
  const read = inside.length === 0 ? field?.column.read : undefined
  const value = (frame: Frame) => {
    const found = inside.length === 0 ? whole(frame) : valueAt(whole(frame) as Json, inside)
    return asNumber(isUpload(found) ? found.storedName : found, numeric, read)
  }
  return lowered(name, modifier, value)
}

/** Each element of a list in the body. */
function eachTerm(compilation: Compilation, field: Field): Term {
  const join = joinAt(compilation, `@request.body.${field.name}:each`, () => ({
    parent: NOWHERE,
    many: field.multiple,
    find: (_, scope) => elementsOf(field, bodyValue(scope.request, field.name)),
  }))
  const rest = { affinity: 'none', exact: false } as const
  return bindingTerm(compilation, join, (binding) => binding as string | null, rest)
}

/** The rows that a relation in the body refers to. */
function bodyRelation(compilation: Compilation, field: Field, name: string): PathPlace {
  const table = relatedTable(compilation, field, name)
  const key = `@request.body.${field.name}`
  const join = joinAt(compilation, key, () => ({
    parent: NOWHERE,
    many: field.multiple,
    find: (_, scope) =>
      elementList(bodyValue(scope.request, field.name)).flatMap((id) => scope.reader.get(table, id) ?? []),
  }))
  return { table, join, key, back: undefined, start: NOWHERE }
}

/** Anonymous callers have no fields, and the caller's table may lack the name: both are read as missing. */
function callerTerm(compilation: Compilation, name: string, names: string[]): Term {
  const { path, modifier } = splitModifier(name, names)
  const { caller } = compilation
  const [first = ''] = path
  if (modifier === 'isset') return literalTerm(0)
  if (caller === undefined) return literalTerm(null)
  if (path.length === 1 && directFields.has(first)) {
    return lowered(name, modifier, (frame) => directValue(frame, first))
  }
  if (caller.field(first) === undefined && !first.includes('_via_')) return literalTerm(null)
  const join = joinAt(compilation, '@request.auth', () => ({
    parent: NOWHERE,
    many: false,
    *find(_, scope) {
      const known = callerRow(scope.request)
      const row = known && scope.reader.get(caller, known.id)
      if (row !== undefined) yield row
    },
  }))
  const place: PathPlace = { table: caller, join, key: '@request.auth', back: undefined, start: NOWHERE }
  return resolvePath(compilation, place, names.join('.'))
}

function directValue(frame: Frame, name: string): SqlValue {
  const { caller } = frame.scope.request
  if (caller.kind !== 'record' && caller.kind !== 'superuser') return null
  if (name === 'collectionId') return caller.table.id
  if (name === 'collectionName') return caller.table.name
  return name === 'id' ? caller.row.id : sqlValue(caller.row.values[name])
}

/** Any row of another table; `:alias` makes an independent choice of the same table. */
function collectionTerm(compilation: Compilation, name: string, part: string, names: string[]): Term {
  const [tableName = '', alias = '', ...more] = part.split(':')
  const table = tableNamed(compilation, tableName)
  if (table === undefined || names.length === 0 || more.length > 0) {
    throw new QueryError(`"${name}": unknown table.`)
  }
  const key = `@collection.${table.id}:${alias}`
  const join = joinAt(compilation, key, () => ({
    parent: NOWHERE,
    many: true,
    find: (_, scope) => scope.reader.scan(table),
  }))
  const place: PathPlace = { ...basePlace(table), join, key, start: join.index }
  return resolvePath(compilation, place, names.join('.'))
}

function lowered(name: string, modifier: string | undefined, value: (frame: Frame) => SqlValue): Term {
  if (modifier === undefined) return requestTerm(value)
  if (modifier === 'lower') return requestTerm((frame) => lowerValue(value(frame)))
  throw new QueryError(`"${name}": the modifier ":${modifier}" does not fit.`)
}

function bodyValue(request: RequestInfo, key: string): Value | undefined {
  return Object.hasOwn(request.body, key) ? request.body[key] : undefined
}

/** Sent, and different from the stored value. On create the stored value is the body itself. */
function isChanged(table: Table, frame: Frame, key: string): boolean {
  const { request, stored, table: asked } = frame.scope
  if (!request.sent.has(key)) return false
  const before = stored !== undefined && asked.id === table.id ? stored : frame.row
  return jsonText(bodyValue(request, key)) !== jsonText(before.values[key])
}

/** Strings of a query or form that represent a number field are numbers if they look like one. */
function asNumber(value: Value | undefined, numeric = false, read = sqlValue): SqlValue {
  if (numeric && typeof value === 'string') return numberOf(value) ?? value
  return read(value)
}

function isUpload(value: unknown): value is { kind: 'upload'; storedName: string } {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'upload'
}
