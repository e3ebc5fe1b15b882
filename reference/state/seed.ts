/**
 * Puts records into a fresh store from code: as a superuser would, without rules and without HTTP. Rows may refer to
 * later rows.
 *
 * @module
 */

import { isBlob } from '../../exchange/is-form.ts'
import { isHolder } from '../../exchange/json-object.ts'
import { hashForm } from '../../exchange/secrets/secret-key.ts'
import { countOf } from '../../spec/count-of.ts'
import { didYouMean, quoted } from '../../spec/nearest.ts'
import { withHashedPasswords } from '../auth/passwords.ts'
import { fieldOfKey } from '../fields/body-keys.ts'
import { fillGenerated, stampDates } from '../fields/fill-generated.ts'
import { resolveBody } from '../fields/resolve-body.ts'
import { validateValues } from '../fields/validate-values.ts'
import type { Pieces } from '../limits/in-turns.ts'
import { noField } from '../tables/no-field.ts'
import { nonSystemTableNames } from '../tables/non-system-table-names.ts'
import { superusers as superusersDefinition } from '../tables/system.ts'
import type { Environment, Field, Reader, Row, Table, Value, Writer } from '../vocabulary.ts'
import { checkValues, rejectNoValue } from './check-values.ts'
import { givenValue } from './given-value.ts'
import { rejectLostValue } from './lost-value.ts'

/** Values of a record by field name. */
export type SeedRow = Readonly<Record<string, unknown>>

export interface Seed {
  /** Rows by table name or id. */
  records: Readonly<Record<string, readonly SeedRow[]>>
  superusers: readonly { email: string; password: string }[]
}

/** A record that was added. */
export interface Planted {
  /** Of its table, as it was given. */
  name: string
  table: Table
  row: Row
  /** Its position in the seed, for messages: `posts[3]`. */
  place: string
}

/** Keys that a server adds to records in its responses. Fixtures that were saved from responses contain them. */
const notFields = new Set([
  'collectionId',
  'collectionName',
  'expand',
  'created',
  'updated',
  'passwordConfirm',
])

function rejectUnknownFields(table: Table, input: SeedRow): void {
  const unknown = Object.keys(input).find(
    (key) => !notFields.has(key) && fieldOfKey(table, key) === undefined,
  )
  if (unknown !== undefined) throw new Error(noField(table, unknown))
}

/** The content of a file can only be read asynchronously, but `createReference` is synchronous. @throws Error */
function rejectFile(table: Table, name: string, value: unknown): void {
  const mayBeFile = fieldOfKey(table, name)?.type === 'file' ? isHolder : isBlob
  if ([value].flat().some((part) => mayBeFile(part)))
    throw new Error(`"${name}" is a file, which initial records cannot have: use records.create() for it.`)
}

function plant(writer: Writer, table: Table, input: SeedRow, environment: Environment): Row {
  const { values: resolved, sent } = resolveBody(table, undefined, input, {}, environment)
  const now = environment.now()
  const values: Record<string, Value> = {
    ...stampDates(table, fillGenerated(table, resolved, environment), 'create', now),
  }
  for (const { name, type } of table.fields) {
    const given = input[name]
    if (type === 'autodate' && typeof given === 'string') values[name] = given
  }
  const isPlain = (_: string, { name }: Field) => sent.has(name)
  return writer.insert(table, withHashedPasswords(table, values, environment, isPlain))
}

function plantAt(
  { name, place }: Pick<Planted, 'name' | 'place'>,
  writer: Writer,
  table: Table,
  input: SeedRow,
  environment: Environment,
): Planted {
  try {
    checkValues(`a record of "${table.name}"`, input)
    rejectUnknownFields(table, input)
    for (const [name, value] of Object.entries(input)) {
      rejectNoValue(table, name, value)
      rejectFile(table, name, value)
    }
    const values = Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, givenValue(fieldOfKey(table, key), value)]),
    )
    for (const [name, value] of Object.entries(values)) rejectLostValue(table, name, value)
    return { name, table, row: plant(writer, table, values, environment), place }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Error(`Record ${place} cannot be kept: ${error.message}`, { cause: error })
  }
}

function rowsOf(table: Table, records: Seed['records']): SeedRow[] {
  return Object.entries(records).flatMap(([name, given]) =>
    name === table.name || name === table.id ? given : [],
  )
}

/** What to know about records that were added, although all of them fit their tables. */
export function seedNotices(reader: Reader, records: Seed['records']): string[] {
  const tables = [...reader.tables()]
  return [
    ...hashesTakenAsPasswords(records),
    ...invalidPasswords(tables, reader, records),
    ...filesWithoutContent(tables, records),
  ]
}

/**
 * A message for each table with passwords that it would reject from a client. They are not errors: fixtures of other
 * servers, whose tables are inferred, contain such passwords, and their users can sign in.
 */
function invalidPasswords(tables: readonly Table[], reader: Reader, records: Seed['records']): string[] {
  return tables.flatMap((table) => {
    const fields = table.fields.filter(({ type }) => type === 'password')
    const errors = rowsOf(table, records).flatMap((row) =>
      fields.flatMap(({ name, check }) => {
        const given = row[name]
        return typeof given === 'string' && given !== '' ? (check(given, { reader, table }) ?? []) : []
      }),
    )
    const [first] = errors
    return first === undefined
      ? []
      : [
          `The password of ${countOf(errors.length, 'record')} of "${table.name}" would be rejected from a client: ${first.message}`,
        ]
  })
}

/**
 * A message for each table with passwords that look like hashes of another server: they are used as plain passwords.
 */
function hashesTakenAsPasswords(records: Seed['records']): string[] {
  return Object.entries(records).flatMap(([table, rows]) => {
    const hashed = rows.filter(({ password }) => typeof password === 'string' && hashForm.test(password))
    const number = countOf(hashed.length, 'record')
    return hashed.length === 0
      ? []
      : [
          `The password of ${number} of "${table}" looks like a hash and is used as the password itself: pass plain-text passwords.`,
        ]
  })
}

/** A message for each table with records that name files: their contents are not among the records. */
function filesWithoutContent(tables: readonly Table[], records: Seed['records']): string[] {
  return tables.flatMap((table) => {
    const fields = table.fields.filter(({ type }) => type === 'file').map(({ name }) => name)
    const named = rowsOf(table, records).filter((row) =>
      fields.some((field) => row[field]?.toString().length),
    )
    const number = countOf(named.length, 'record')
    return named.length === 0
      ? []
      : [
          `The files of ${number} of "${table.name}" have no content: downloads give 404. Upload them, or use an exported state.`,
        ]
  })
}

/** Most records that a message is about. */
const mostReported = 10

function reported(problems: readonly string[]): Error {
  if (problems.length === 1) return new Error(problems[0])
  const shown = problems.slice(0, mostReported)
  const more = shown.length < problems.length ? ['  There are more.'] : []
  return new Error(['Records cannot be used:', ...shown.map((line) => `  ${line}`), ...more].join('\n'))
}

/** ` There is no "x" in "users".` for a relation, or nothing. */
function unknownIds(reader: Reader, table: Table, { values }: Row, name: string): string {
  const definition = table.field(name)?.definition
  const target = definition?.type === 'relation' ? reader.table(definition.collectionId) : undefined
  if (target === undefined) return ''
  const ids = [values[name]].flat().filter((id): id is string => typeof id === 'string' && id !== '')
  const unknown = ids.filter((id) => reader.get(target, id) === undefined).slice(0, mostReported)
  return unknown.length === 0 ? '' : ` There is no ${unknown.map(quoted).join(', ')} in "${target.name}".`
}

/** @returns what was added, in its order. @throws Error that names the rows and fields that do not fit their tables */
export function* seed(
  writer: Writer,
  { records, superusers }: Seed,
  environment: Environment,
): Pieces<Planted[]> {
  const planted: Planted[] = []
  const problems: string[] = []
  const add = (problem: string) => {
    problems.push(problem)
    if (problems.length > mostReported) throw reported(problems)
  }
  const accounts = superusers.map((one) => ({ ...one, verified: true }))
  for (const [name, rows] of [...Object.entries(records), [superusersDefinition.name, accounts] as const]) {
    const table = writer.table(name)
    if (table === undefined) {
      const known = nonSystemTableNames(writer)
      throw new Error(
        `Records are given for the table "${name}", which is not among the tables.${didYouMean(name, known)}`,
      )
    }
    for (const [position, input] of rows.entries()) {
      const place = `${name}[${position}]`
      try {
        planted.push(plantAt({ name, place }, writer, table, input, environment))
      } catch (error) {
        add((error as Error).message)
      }
      yield
    }
  }
  if (problems.length > 0) throw reported(problems)
  for (const { table, row, place } of planted) {
    const errors = validateValues(table, row.values, { reader: writer, stored: row.values, planted: true })
    const [wrong] = Object.entries(errors)
    if (wrong) {
      const unknown = unknownIds(writer, table, row, wrong[0])
      add(
        `Record ${place} does not fit its table: ${wrong[0]}: ${wrong[1].message} (${wrong[1].code})${unknown}`,
      )
    }
    yield
  }
  if (problems.length > 0) throw reported(problems)
  return planted
}
