/**
 * Validates definitions, data files and states against the schemas of `spec/`: that every value has the right type.
 * Further constraints are checked where the value is used.
 *
 * @module
 */

import { type ShapeError, shapes } from './generated/shapes.js'
import { kindName } from './kind-name.ts'
import { nearest } from './nearest.ts'
import { unknownKeys } from './table-schema.ts'

type Path = readonly string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names of JSON types in messages. Null means absent, so no message names it. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}
const wanted = (type: unknown) => kinds[String(type)] ?? []

let checks: ReturnType<typeof shapes> | undefined

/**
 * @param at its position in the list of definitions
 * @throws Error, or one of the class `Failure`, that names the table, the place in it, what is expected there and what was found; also for an unknown
 *   key that is almost a known one. Other unknown keys are ignored: newer servers export more
 */
export function checkTable(definition: unknown, at: number, Failure: ErrorConstructor = Error): void {
  expectShape('table', definition, (path) => placeInTable(definition, at, path), '', Failure)
  // A misspelled rule would lock the table, and a misspelled `required` would open it.
  for (const { path, known } of unknownKeys(definition)) {
    const key = path.at(-1) ?? ''
    const meant = nearest(key, known, key.length < 7 ? 2 : 3)
    const subject = placeInTable(definition, at, path)
    if (meant !== undefined) throw new Failure(`${subject} is unknown. Did you mean "${meant}"?`)
    if (path.length === 1 && key === 'schema' && !('fields' in Object(definition)))
      throw new Failure(
        `${subject} is how old servers of the living family export fields. Export the tables from a server of version 0.23 or later, or write "fields".`,
      )
  }
}

/**
 * Checks a data file in its form `{ tables, collections, records, superusers, keys }`.
 *
 * @throws Error that names the place in it, what is expected there and what was found
 */
export function checkData(content: Readonly<Record<string, unknown>>): void {
  expectShape('data', content, (path) => inTables(content, path) ?? quoted(path))
}

/**
 * Checks the types of options that a data file may have as well.
 *
 * @param content in the form of a data file
 * @param option the option at a place in the file, `settings.batch` for example
 * @throws TypeError that names the option, what is expected there and what was found
 */
export function checkOptionTypes(
  content: Readonly<Record<string, unknown>>,
  option: (path: Path) => Path,
): void {
  expectShape('data', content, (path) => `The option ${quoted(option(path))}`, '', TypeError)
}

/** @throws Error that names the place in the state, what is expected there and what was found */
export function checkState(state: unknown): void {
  expectShape(
    'state',
    state,
    (path) => inTables(state, path) ?? (path.length === 0 ? 'The state' : `${quoted(path)} of the state`),
    ' Pass what exportState() returned, or its parsed JSON.',
  )
}

/** @param subject the value at a path, as a sentence about it begins */
function expectShape(
  name: 'table' | 'data' | 'state',
  whole: unknown,
  subject: (path: Path) => string,
  next = '',
  Failure: ErrorConstructor = Error,
): void {
  checks ??= shapes({}, (text) => text.length)
  const check = checks[name]
  const error = check(whole) ? undefined : check.errors?.[0]
  if (error === undefined) return
  const path = error.instancePath.split('/').slice(1)
  // A JSON pointer escapes these two characters.
  const steps = path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  throw new Failure(`${subject(steps)} ${predicate(error, valueAt(whole, steps))}.${next}`)
}

function predicate({ keyword, params }: ShapeError, value: unknown): string {
  switch (keyword) {
    case 'required':
      return whyLacking(String(params.missingProperty), value)
    case 'type':
      // JSON has no such numbers.
      if (typeof value === 'number' && !Number.isFinite(value)) return `must be finite; found ${value}`
      return `must be ${[params.type].flat().flatMap(wanted).join(' or ')}; found ${kindName(value)}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}; found ${JSON.stringify(value)}`
    case 'minLength':
      return 'must not be empty'
    default:
      return `does not have the form of the schema (${keyword})`
  }
}

function whyLacking(key: string, value: unknown): string {
  const misspelled = nearest(key, isObject(value) ? Object.keys(value) : [], 3)
  if (misspelled === undefined) return `has no "${key}". Add it`
  return `has no "${key}": "${misspelled}" is probably a misspelling of it`
}

/** A path below a list of tables. */
function inTables(whole: unknown, [list = '', at, ...rest]: Path): string | undefined {
  if ((list !== 'tables' && list !== 'collections') || at === undefined) return undefined
  const path = rest[0] === 'definition' ? rest.slice(1) : rest
  return placeInTable(
    valueAt(whole, [list, at, ...rest.slice(0, rest.length - path.length)]),
    Number(at),
    path,
  )
}

/** Names a place in a definition: `"min" of field "rank" of table "posts"`. @param at its position, in case it has no name */
export function placeInTable(table: unknown, at: number, path: Path): string {
  const name = isObject(table) && typeof table.name === 'string' ? `table "${table.name}"` : undefined
  if (path.length === 0) return name ?? `Table definition ${at}`
  const where = name ?? `table definition ${at}`
  const [list, position, ...option] = path
  if (list !== 'fields' || option.length === 0) return `${quoted(path)} of ${where}`
  const field = valueAt(table, path.slice(0, 2))
  const known = isObject(field) && typeof field.name === 'string' ? `"${field.name}"` : position
  return `${quoted(option)} of field ${known} of ${where}`
}

function quoted(path: Path): string {
  return `"${path.join('.')}"`
}

function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], whole)
}
