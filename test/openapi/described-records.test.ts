/**
 * What a description says of values is true: what the reference shows follows it, and what it accepts and rejects is what
 * the description says.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { type Description, describeTables, type ExportedTable } from '../../openapi/openapi.ts'
import { createReference, type Reference } from '../../reference/reference.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { type FieldType, fieldTypes } from '../../spec/field-types.ts'
import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { loadTables } from '../../spec/tables.ts'
import { call, signIn } from '../support/reference-call.ts'
import { type Judge, judgeOf } from './described-values.ts'
import { shopTables } from './shop.ts'

const suite = loadTables().map(({ definition }) => definition)
const worlds: [string, readonly ExportedTable[]][] = [
  ['the shop', shopTables()],
  ['the tables of the suite', suite],
]
const superuser = { email: 'root@example.com', password: 'root-secret' }

type Values = Record<string, unknown>

const typeName = (table: string) =>
  table
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `npm test` has time for the tables with every type of field. */
const tested = worlds.filter(([name]) => inFull || name === 'the tables of the suite')

describe.each(tested)('%s', (_name, tables) => {
  const described = tables.filter(({ type, system }) => type !== 'view' && system !== true)
  const tests = described.filter(({ fields = [] }) => !fields.some(isRequiredFile))
  let reference: Reference
  let description: Description
  let judge: Judge
  let token: string

  beforeAll(async () => {
    reference = createReference({
      tables: tables as TableDefinition[],
      superusers: [superuser],
      seed: 1,
      passwordCost: 4,
    })
    description = describeTables(tables, { paths: 'per-table' })
    judge = judgeOf(description)
    token = await signIn(reference, '_superusers', superuser.email, superuser.password)
  })

  const propertiesOf = (component: string) => {
    const { properties = {} } = (description.components.schemas?.[component] ?? {}) as {
      properties?: Values
    }
    return Object.keys(properties)
  }

  it.each(tests.map(({ name }) => name))('shows records of %s as described', async (table) => {
    await reference.make(table as never, 3)
    const relations = described.flatMap(({ name, fields = [] }) =>
      fields.map((field) => (name === table ? field.name : `${name}_via_${field.name}`)),
    )
    for (const caller of [{ token }, {}]) {
      const path = `/collections/${table}/records?expand=${relations.join(',')}`
      const { status, body } = await call(reference, `GET ${path}`, undefined, caller)
      // A list may be closed to guests, but not to the superuser.
      if (status === 403 && !('token' in caller)) continue
      expect(judge(`${typeName(table)}ListResponse`, body)).toBeUndefined()
      if ('token' in caller) expect(body.items.length).toBeGreaterThan(0)
      for (const record of body.items as Values[]) {
        expect(propertiesOf(`${typeName(table)}Record`)).toEqual(expect.arrayContaining(Object.keys(record)))
        const expanded = Object.keys(record.expand ?? {})
        expect(propertiesOf(`${typeName(table)}Expand`)).toEqual(expect.arrayContaining(expanded))
      }
    }
  })

  /** A body that is accepted: required fields only. */
  async function smallest({ fields = [], name, type }: ExportedTable): Promise<Values> {
    const values: Values = {}
    if (type === 'auth') {
      const email = `${name}-${Math.random()}@example.com`
      Object.assign(values, { email, password: 'secret1234', passwordConfirm: 'secret1234' })
    }
    for (const field of (fields as FieldDefinition[]).filter(mustBeSent))
      values[field.name] = (await candidates(field)).find((value) => isGood(field, value))
    return values
  }

  async function candidates(field: FieldDefinition): Promise<unknown[]> {
    if (field.type !== 'relation') {
      const { sample } = fieldTypes[field.type]
      return valuesOf[field.type]?.(field) ?? (sample === undefined ? [] : [sample])
    }
    const target = tables.find(({ id }) => id === field.collectionId)
    const made = await reference.make(target?.name as never, 4)
    const ids = (made as { id: string }[]).map(({ id }) => id)
    if ((field.maxSelect ?? 1) <= 1) return ['', ids[0]]
    return [[], ...ids.map((_, at) => ids.slice(0, at + 1))]
  }

  it.each(tests.map((table) => [table.name, table] as const))(
    'accepts for %s what it describes',
    async (name, table) => {
      const fields = (table.fields ?? []) as FieldDefinition[]
      const outcomes = new Set<string>()
      for (const field of fields.filter((each) => isSentAsValue(each, table)))
        for (const value of await candidates(field)) {
          const sent = { ...(await smallest(table)), [field.name]: value }
          const wrong = judge(`${typeName(name)}Create`, sent)
          const response = await call(reference, `POST /collections/${name}/records`, sent, { token })
          const { status, body, text } = response
          const what = `${field.name} = ${JSON.stringify(value).slice(0, 60)}: ${wrong}, ${text.slice(0, 200)}`
          if (status !== 200) {
            const codes = Object.values(body.data as Record<string, { code: string }>).map(({ code }) => code)
            if (!codes.some((code) => unspoken.has(code))) expect(wrong, what).toBeDefined()
            outcomes.add(`${field.type} rejected`)
            continue
          }
          expect(wrong, what).toBeUndefined()
          outcomes.add(`${field.type} accepted`)
          expect(judge(`${typeName(name)}Update`, sentBack(body, fields)), what).toBeUndefined()
          await call(reference, `DELETE /collections/${name}/records/${body.id}`, undefined, { token })
        }
      if (name === 'conf_constrained')
        expect([...outcomes].filter((outcome) => outcome.endsWith('rejected')).length).toBeGreaterThan(8)
    },
  )
})

/** What a record shows, without what the server sets. */
function sentBack(record: Values, fields: readonly FieldDefinition[]): Values {
  const { collectionId, collectionName, id, created, updated, expand, ...shown } = record
  for (const { name, type } of fields) if (type === 'autodate' || type === 'password') delete shown[name]
  return shown
}

function mustBeSent(field: FieldDefinition): boolean {
  const generated = field.type === 'text' && (field.autogeneratePattern ?? '') !== ''
  return field.required === true && field.system !== true && !generated
}

/** Sign-up has passwords of its own, and files come in forms. */
function isSentAsValue({ type, name }: FieldDefinition, table: ExportedTable): boolean {
  if (type === 'autodate' || type === 'file' || name === 'tokenKey') return false
  return table.type !== 'auth' || !['password', 'verified'].includes(name)
}

function isRequiredFile({ type, required }: { type: string; required?: boolean }): boolean {
  return type === 'file' && required === true
}

/** Errors that no schema foretells: which addresses and instants there are, how many bytes a value has, what is taken. */
const unspoken = new Set([
  'validation_invalid_url',
  'validation_url_domain_not_allowed',
  'validation_is_email',
  'validation_min_greater_equal_than_required',
  'validation_max_less_equal_than_required',
  'validation_json_size_limit',
  'validation_not_unique',
  'validation_invalid_auth_id',
])

const long = (length: number) => 'x'.repeat(length)
const strings = [
  '',
  'a',
  'ab',
  'abc',
  'abcde',
  'abcdef',
  'A',
  'x-1',
  long(120),
  long(121),
  long(5000),
  long(5001),
]

/**
 * Values of the right type, near the limits of the tables here and of the profile. Types without limits have their
 * sample.
 */
const valuesOf: Partial<Record<FieldType, (field: FieldDefinition) => unknown[]>> = {
  text: () => [...strings, 'abcdefgh', 'ABC12345', '1234567890', 'abcdefghijklmno', 'x'.repeat(40)],
  number: () => [0, 1, -1, -2, -3, 0.5, 4, 5, -5, -6, 10, 11, 40, 41, 50, 51, 99, 100],
  bool: () => [true, false],
  email: () => ['', 'a@b.co', 'a@example.com', 'a@example.org', 'a@shop.example', 'x', 'a@b', 'ä@b.co'],
  url: () => ['', 'https://example.com', 'https://example.org', 'https://shop.example/x', 'example.com', 'x'],
  editor: () => ['', 'short', long(20), long(21)],
  date: () => [
    '',
    '2024-02-29 23:59:59.999Z',
    '2025-01-01T10:00:00Z',
    '2019-01-01',
    '2031-01-01 00:00:00.000Z',
  ],
  select: (field) => {
    const { values = [], maxSelect = 1 } = field as { values?: string[]; maxSelect?: number }
    if (maxSelect <= 1) return ['', ...values, 'other']
    return [[], ...values.map((_, at) => values.slice(0, at + 1)), ['other']]
  },
  json: () => [null, {}, [], { a: [1, true] }, 'text', 7, { text: long(40) }],
  password: () => ['', '12', '123', '1234', '12345678', '123456789', 'abcd', long(71), long(72)],
  geoPoint: () => [
    { lon: 0, lat: 0 },
    { lon: 180, lat: -90 },
    { lon: 181, lat: 1 },
    { lon: 1, lat: 91 },
  ],
}

/** Whether a value of the list above is accepted by every required field of its type. */
function isGood({ type, name }: FieldDefinition, value: unknown): boolean {
  if (type === 'text') return value === (name === 'slug' || name === 'username' ? 'abcdef' : 'abcdefgh')
  if (type === 'number') return value === 1 || value === 5
  if (type === 'bool') return value === true
  if (type === 'email') return value === 'a@example.com'
  if (type === 'url') return value === 'https://example.com'
  if (type === 'editor') return value === 'short'
  if (type === 'date') return value === '2024-02-29 23:59:59.999Z'
  if (type === 'password') return value === '12345678'
  if (type === 'json') return JSON.stringify(value) === '{"a":[1,true]}'
  if (type === 'geoPoint') return (value as { lon: number }).lon === 180
  return Array.isArray(value) ? value.length > 0 : value !== ''
}
