/**
 * Generated records that satisfy every constraint of their tables. With a seed they repeat from run to run.
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
import { foundValue } from '../../spec/kind-name.ts'
import { ApiError, type ErrorData, notUnique } from '../errors.ts'
import { fieldKind } from '../fields/registry.ts'
import { createIn, RecordError, renderFromCode, tableOf } from '../records/records-api.ts'
import type { Services } from '../services.ts'
import { checkValues } from '../state/check-values.ts'
import type { Field, Json, Row, Table, Writer } from '../vocabulary.ts'

/** Values for one record, or a function that returns them for the record at a position. */
export type Overrides =
  | Readonly<Record<string, unknown>>
  | ((position: number) => Readonly<Record<string, unknown>>)

const deepest = 8
const tries = 50

interface Session {
  services: Services
  writer: Writer
  faker: Faker
}

function seedOf(services: Services): number {
  return Number.parseInt(services.environment.random('0123456789abcdef', 7), 16)
}

/** Ids for a required relation: of existing records, or of records created for it. */
async function relatedIds(session: Session, table: Table, field: Field, depth: number): Promise<string[]> {
  const { definition } = field
  if (definition.type !== 'relation') return []
  const needed = Math.max(definition.minSelect ?? 0, definition.required ? 1 : 0)
  if (needed === 0) return []
  const target = session.writer.table(definition.collectionId)
  if (target === undefined) return []
  const there = [...session.writer.scan(target)].map(({ id }) => id)
  while (there.length < needed) {
    if (target === table || depth >= deepest) {
      throw new Error(
        `No record of "${table.name}" can be made up: its field "${field.name}" requires one of "${target.name}", which in turn requires one of "${table.name}". Create the first records yourself.`,
      )
    }
    there.push((await makeOne(session, target, {}, depth + 1)).id)
  }
  return session.faker.helpers.arrayElements(there, needed)
}

/** Fields that only the server fills in, or that stay empty. */
function isLeftAlone(table: Table, { name }: Field): boolean {
  return table.type === 'auth' && (name === 'verified' || name === 'emailVisibility' || name === 'tokenKey')
}

async function madeUp(
  session: Session,
  table: Table,
  given: Readonly<Record<string, unknown>>,
  depth: number,
): Promise<Record<string, unknown>> {
  const { faker, services } = session
  const values: Record<string, unknown> = {}
  for (const field of table.fields) {
    if (Object.hasOwn(given, field.name) || isLeftAlone(table, field)) continue
    const place = `"${field.name}" of table "${table.name}"`
    if (field.type === 'relation') {
      const ids = await relatedIds(session, table, field, depth)
      if (ids.length > 0) values[field.name] = field.multiple ? ids : ids[0]
    } else {
      const making = { faker, environment: services.environment, place }
      values[field.name] = fieldKind(field.type).invent(field, making)
    }
  }
  return { ...values, ...given }
}

/** True if the only errors are values that a unique index already contains. */
function isTaken(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const errors = Object.values(error.data as ErrorData)
  return (
    errors.length > 0 && errors.every((one) => (one as { code?: string } | null)?.code === notUnique.code)
  )
}

async function makeOne(
  session: Session,
  table: Table,
  given: Readonly<Record<string, unknown>>,
  depth: number,
): Promise<Row> {
  for (let attempt = 1; ; attempt++) {
    const values = await madeUp(session, table, given, depth)
    try {
      return await createIn(session.services, session.writer, table, values)
    } catch (error) {
      const chosen =
        error instanceof ApiError && Object.keys(error.data).every((name) => Object.hasOwn(given, name))
      if (!isTaken(error) || chosen || attempt >= tries) throw error
    }
  }
}

/** Whether the values that were passed are at fault, or the generated ones. */
function placeOf(record: string, { data }: ApiError, given: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(data)
  const isGiven = names.length > 0 && names.every((name) => Object.hasOwn(given, name))
  return isGiven ? `${record} cannot have the values that were passed` : `${record} cannot be made up`
}

/** @throws TypeError unless it is a whole number */
function checkCount(count: unknown): void {
  if (Number.isSafeInteger(count) && Number(count) >= 0) return
  const hint = typeof count === 'object' ? ' The values come after it: make(table, 1, values).' : ''
  throw new TypeError(`The count of make() must be a whole number; found ${foundValue(count)}.${hint}`)
}

/**
 * Creates records: all of them, or none.
 *
 * @throws RecordError if given values are invalid; Error if no value can be generated for a field; TypeError for a count
 *   that is not a whole number
 */
export async function makeRecords(
  services: Services,
  name: string,
  count = 1,
  overrides: Overrides = {},
): Promise<Record<string, Json>[]> {
  const table = tableOf(services.store.current, name)
  checkCount(count)
  // A faker instance of our own: seeding the shared one would change the values that the application's tests generate.
  const faker = new (english.constructor as typeof Faker)({ locale: english.rawDefinitions })
  faker.seed(seedOf(services))
  return services.store.transaction(async (writer) => {
    const session: Session = { services, writer, faker }
    const rows: Row[] = []
    for (let position = 0; position < count; position++) {
      const given = typeof overrides === 'function' ? overrides(position) : overrides
      checkValues(`${name}[${position}]`, given)
      try {
        rows.push(await makeOne(session, table, given, 0))
      } catch (error) {
        throw error instanceof ApiError
          ? new RecordError(placeOf(`${name}[${position}]`, error, given), error)
          : error
      }
    }
    return rows.map((row) => renderFromCode(services, writer, table, row))
  })
}
