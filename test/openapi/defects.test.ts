/**
 * Sixteen defects that the API description had, each with the test that keeps it away. What linters, validators and a
 * compiled client prove is in the tests next to this one.
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { validate as validateDescription } from '@hyperjump/json-schema/openapi-3-1'
import type { OpenAPIV3_1 } from 'openapi-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentOnly } from '../../openapi/document-only.ts'
import { createReference } from '../../reference/reference.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { type FieldType, fieldTypes } from '../../spec/field-types.ts'
import { isRecordTime } from '../../spec/formats.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import { openApiDocument } from '../../spec/openapi.ts'
import { loadTables } from '../../spec/tables.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { createValidator } from '../../validate/create-validator.ts'
import { generatedTypes } from '../support/generated-types.ts'
import { portableSchema } from '../support/portable-schema.ts'
import { fc } from '../support/seeded.ts'

type Part = Record<string, unknown>
type Components = Record<string, Record<string, Part>>

const description = openApiDocument()
const components = description.components as unknown as Components
const schemas = components.schemas ?? {}
const described = Object.values(description.paths ?? {}).flatMap((item) =>
  Object.values(item ?? ({} as Record<string, unknown>)).filter((each) => 'operationId' in Object(each)),
) as OpenAPIV3_1.OperationObject[]

let types = ''
beforeAll(async () => {
  types = await generatedTypes()
})

/** The type that is generated for a schema, on one line and without comments. */
function typeOf(name: string): string {
  const begin = types.indexOf(`\n        ${name}: `)
  const end = /;\n(?= {8}(\/\*\*|\w+: )| {4}\})/.exec(types.slice(begin))
  if (begin === -1 || end === null) throw new Error(`There is no generated type ${name}.`)
  return types
    .slice(begin, begin + end.index + 1)
    .replace(/\/\*\*?[\s\S]*?\*\//g, '')
    .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

let registered = 0
async function accepts(schema: JsonSchema, value: unknown): Promise<boolean> {
  const uri = `https://example.com/openapi-defects/${registered++}`
  registerSchema(portableSchema(schema) as never, uri)
  return (await validate(uri, value as never)).valid
}

const time = '2024-01-02 03:04:05.006Z'
const record = { id: 'a', collectionId: 'b', collectionName: 'posts', created: time, updated: time }
const account = { ...record, email: 'a@example.com', emailVisibility: true, verified: true }
const validator = createValidator({ profile: 'standard' })

/** What a response breaks, by requirement, and whether that is the document's or the profile's. */
function broken(operation: OperationId, status: number, value: unknown): string[] {
  const { path, method } = operationEntry(operation)
  const result = validator.validate({
    operation,
    request: { method, url: path.replace('{table}', 'posts').replace('{id}', 'a') },
    response: {
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    },
  } as never)
  return result.findings.map(({ requirement, basis }) => `${requirement} (${basis})`)
}

function operationEntry(id: OperationId): { path: string; method: string } {
  for (const [path, item] of Object.entries(description.paths ?? {}))
    for (const [method, each] of Object.entries(item ?? {}))
      if ((each as Part).operationId === id) return { path, method: method.toUpperCase() }
  throw new Error(`There is no operation ${id}.`)
}

it('1: a record is open to the fields of its table', async () => {
  expect(typeOf('Record')).toMatch(/& \{ \[key: string\]: FieldValue; \}/)
  expect(typeOf('RecordFields')).toMatch(/\[key: string\]: FieldInput/)
  expect(await accepts(schemas.Record as JsonSchema, { ...record, title: 'x', list: [1], more: null })).toBe(
    true,
  )
})

it('2: the errors of fields are readable', () => {
  expect(typeOf('Error')).toMatch(/data: FieldErrors; message: string; status: number;/)
  expect(typeOf('FieldErrors')).toMatch(/\[key: string\]: FieldError;/)
})

it('3: so are the entries of a batch, its errors, and the params of an error', () => {
  expect(typeOf('BatchEntry')).toBe('BatchEntry: BatchDeletion | BatchWrite;')
  expect(typeOf('BatchWrite')).toMatch(/status: 200; body: AnyRecord;/)
  expect(typeOf('BatchDeletion')).toMatch(/status: 204; body: null;/)
  expect(typeOf('BatchFailures')).toMatch(/\[key: string\]: BatchFailure \| FieldError \| BatchEntryErrors;/)
  expect(typeOf('BatchFailure')).toMatch(/response: Error;/)
  expect(typeOf('FieldErrorParams')).toMatch(/min\?: number; max\?: number;/)
})

it('4: no type is an empty or an unknowable combination', () => {
  expect(types).not.toMatch(/unknown (&|\|)|(&|\|) unknown/)
  const empty = [...types.matchAll(/^(.*)Record<string, never>/gm)].map(([, before]) => before?.trim())
  // The empty categories of every file that the generator writes.
  expect(empty).toEqual(['export type webhooks =', 'export type $defs ='])
})

it('5: what only some records have or hide is not in the base record', async () => {
  expect(Object.keys(schemas.Record?.properties as object)).toEqual([
    'id',
    'collectionId',
    'collectionName',
    'created',
    'updated',
    'expand',
  ])
  expect(typeOf('AuthRecord')).not.toMatch(/password|tokenKey/)
  expect(await accepts(schemas.AnyRecord as JsonSchema, { ...account, tokenKey: 'x' })).toBe(false)
  expect(await accepts(schemas.AnyRecord as JsonSchema, { ...record, password: 'x' })).toBe(false)
  expect(await accepts(schemas.AnyRecord as JsonSchema, { ...record, password: '' })).toBe(true)
})

it('6: auth records are an alternative wherever records are, and what a sign-in returns', () => {
  expect(typeOf('AnyRecord')).toBe('AnyRecord: AuthRecord | Record;')
  expect(typeOf('ListResponse')).toMatch(/items: AnyRecord\[\];/)
  expect(typeOf('Expansion')).toMatch(/AnyRecord\[\] \| AnyRecord;/)
  expect(typeOf('AuthResponse')).toMatch(/record: SignedInRecord;/)
  expect(typeOf('AuthRecord')).toMatch(/email\?: string; verified: boolean;.*& Record;/)
  for (const name of ['OneRecord', 'CreatedRecord', 'UpdatedRecord', 'AnyView', 'AnyWrite'])
    expect(JSON.stringify(components.responses?.[name]), name).toContain('schemas/AnyRecord')
})

const tableOf = (wanted: string) => loadTables().find(({ role }) => role === wanted)?.definition

describe('7: each field type has a schema', () => {
  const marked = Object.values(schemas).filter((schema) => schema['x-field-type'] !== undefined)
  const values = Object.entries(schemas).filter(([name]) => name.endsWith('Value'))
  const schemaOf = (type: string) =>
    values.find(([, schema]) => schema['x-field-type'] === type)?.[1] as JsonSchema

  it('and there are no others', () => {
    const known = Object.keys(fieldTypes).sort()
    expect(known.length).toBeGreaterThanOrEqual(14)
    expect([...new Set(marked.map((schema) => String(schema['x-field-type'])))].sort()).toEqual(known)
    const alternatives = schemas.FieldValue?.anyOf as { $ref: string }[]
    expect(alternatives.map(({ $ref }) => $ref.split('/').at(-1)).sort()).toEqual(
      values.flatMap(([name]) => (name === 'FieldValue' ? [] : [name])).sort(),
    )
  })

  it('that accepts what the reference shows, set and unset', async () => {
    const [definition, related] = ['everything', 'related'].map(tableOf)
    if (definition === undefined || related === undefined) throw new Error('no such tables')
    await using reference = createReference({ tables: [definition, related] })
    const samples = Object.entries(fieldTypes).flatMap(([type, { sample }]) =>
      sample === undefined ? [] : [[type === 'geoPoint' ? 'geo' : type, sample]],
    )
    const [other] = await reference.make('conf_related')
    const set = {
      ...Object.fromEntries(samples),
      selects: ['a', 'b'],
      relation: other.id,
      relations: [other.id],
    }
    for (const body of [set, {}]) {
      const response = await reference.fetch('/api/v1/collections/conf_everything/records', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const shown = (await response.json()) as Part
      const fields = (definition.fields ?? []).map(({ name }) => name)
      expect(response.status).toBe(200)
      expect(Object.keys(shown).sort()).toEqual([...new Set([...commonFields, ...fields])].sort())
      for (const { name, type } of definition.fields ?? [])
        expect([name, shown[name], await accepts(schemaOf(type), shown[name])]).toEqual([
          name,
          shown[name],
          true,
        ])
    }
  })

  it.each<[FieldType, unknown]>([
    ['text', 1],
    ['number', '1'],
    ['bool', 'true'],
    ['email', 'nobody there'],
    ['url', 'nowhere'],
    ['editor', null],
    ['date', '2024-05-06T07:08:09Z'],
    ['autodate', 0],
    ['select', [1]],
    ['file', { name: 'a.txt' }],
    ['relation', 1],
    ['password', 'shown'],
    ['geoPoint', { lon: 181, lat: 0 }],
  ])('and not something else: %s', async (type, value) => {
    expect(await accepts(schemaOf(type), value)).toBe(false)
  })
})

it('8: every operation, parameter, body, response, header, link and tag is described, and shown by example', () => {
  const parts = [
    ...described,
    ...(description.tags ?? []),
    ...['parameters', 'requestBodies', 'responses', 'headers', 'links', 'securitySchemes'].flatMap((kind) =>
      Object.values(components[kind] ?? {}),
    ),
  ] as Part[]
  expect(parts.length).toBeGreaterThan(100)
  for (const part of parts)
    expect(String(part.description ?? ''), JSON.stringify(part).slice(0, 200)).toMatch(/^.{10,}[.]$/s)
  for (const { summary, operationId } of described) expect(summary, operationId).toMatch(/^[A-Z].*[^.]$/)
  // test/openapi/examples.test.ts proves them.
  expect(Object.keys(components.examples ?? {}).length).toBeGreaterThan(40)
})

describe('9: a success or an error with another status is described as well', () => {
  it('for every operation', () => {
    for (const { operationId, responses } of described)
      expect(Object.keys(responses ?? {}), operationId).toEqual(
        expect.arrayContaining(['2XX', '5XX', 'default']),
      )
  })

  const session = { token: 't', record: account }
  const page = { page: 1, perPage: 30, totalItems: 1, totalPages: 1, items: [record] }
  it.each<[string, OperationId, number, unknown, string[]]>([
    ['a page', 'listRecords', 206, page, []],
    ['one without a total', 'listRecords', 206, { ...page, totalItems: null }, ['list.total-items (stated)']],
    ['a record', 'viewRecord', 203, record, []],
    ['one of no time', 'viewRecord', 203, { ...record, created: 'yesterday' }, ['record.created (stated)']],
    ['a session', 'authWithPassword', 201, session, []],
    [
      'one of no time',
      'authWithPassword',
      201,
      { ...session, record: { ...account, created: 'yesterday' } },
      ['record.created (stated)'],
    ],
    ['a written record', 'createRecord', 201, record, []],
    ['something else', 'createRecord', 201, { location: '/there' }, Array(5).fill('wire.schema (profile)')],
    ['a secret', 'createRecord', 201, { ...account, tokenKey: 'x' }, ['wire.no-secrets (implied)']],
    ['anything about a deletion', 'deleteRecord', 200, { deleted: true }, []],
    ['an error', 'viewRecord', 409, { data: {}, message: 'No.', status: 409 }, []],
    [
      'an error of another shape',
      'viewRecord',
      409,
      { message: 'No.', status: 409 },
      ['error.envelope (profile)'],
    ],
  ])('%s of %s %i is validated as far as the document goes', (_, operation, status, value, findings) => {
    expect(new Set(broken(operation, status, value))).toEqual(
      new Set(['wire.documented-status (profile)', ...findings]),
    )
  })
})

it('10: responses have links and headers', () => {
  // spec/openapi-links.test.ts follows them as far as the examples go.
  expect(Object.keys(components.links ?? {}).length).toBeGreaterThan(10)
  expect(components.responses?.TooManyRequests?.headers).toHaveProperty('Retry-After')
  expect(components.responses?.ServerError?.headers).toHaveProperty('Retry-After')
  expect(components.responses?.BatchTooOften?.headers).toHaveProperty('Retry-After')
})

it('11: the parameter for the table has an example that exists', () => {
  const [example] = Object.values(components.parameters?.table?.examples as Record<string, { $ref: string }>)
  const name = example?.$ref.split('/').at(-1) ?? ''
  expect(components.examples?.[name]).toMatchObject({ value: 'posts' })
})

it('12: parameters have bounds and plain types', async () => {
  const schemaOf = (name: string) => components.parameters?.[name]?.schema
  expect(schemaOf('page')).toMatchObject({ minimum: 1 })
  expect(schemaOf('perPage')).toMatchObject({ minimum: 1, maximum: 1000 })
  expect(schemaOf('table')).toMatchObject({ maxLength: 255 })
  expect(schemaOf('skipTotal')).toMatchObject({ type: 'boolean' })
  expect(types).toMatch(/skipTotal\?: (boolean|components\["parameters"\]\["skipTotal"\])/)
  const { requests } = (schemas.BatchRequest?.properties ?? {}) as Record<string, Part>
  expect(requests).toMatchObject({ minItems: 1, maxItems: 50, 'x-profile': ['minItems', 'maxItems'] })
})

it('13: the form of a time is a pattern, too', async () => {
  const pattern = new RegExp(String(schemas.RecordTime?.pattern), 'u')
  const instants = fc.date({
    min: new Date(0),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(fc.property(instants, (date) => pattern.test(date.toISOString().replace('T', ' '))))
  const near = fc.tuple(fc.nat(23), fc.constantFrom('', '0', '3', '9', ' ', '-', 'T', 'z', '\n'))
  fc.assert(
    fc.property(near, ([at, text]) => {
      const changed = time.slice(0, at) + text + time.slice(at + 1)
      // A pattern does not count the days of a month.
      if (isRecordTime(changed)) expect(changed).toMatch(pattern)
      else if (!/^\d{4}-\d\d-(29|3\d)/.test(changed)) expect(changed).not.toMatch(pattern)
    }),
    { numRuns: 500 },
  )
})

describe('14: what comes from the document is marked', () => {
  const stated = documentOnly(description) as OpenAPIV3_1.Document
  const { schemas: left = {}, parameters = {} } = stated.components as unknown as Components
  const keysOf = (name: string) => Object.keys((left[name]?.properties ?? {}) as object).sort()

  it('so that the rest can be left out', async () => {
    const { valid } = await validateDescription(
      'https://spec.openapis.org/oas/3.1/schema-base',
      structuredClone(stated) as never,
    )
    expect(valid).toBe(true)
    expect(JSON.stringify(stated)).not.toMatch(/"x-basis":"profile"|perPage=|validation_/)
    expect(Object.keys(stated.paths ?? {})).toEqual(Object.keys(description.paths ?? {}))
  })

  it('and what is left are the tables of the document', () => {
    expect(keysOf('Record')).toEqual(['collectionId', 'collectionName', 'created', 'id', 'updated'])
    expect(keysOf('AuthRecord')).toEqual(['email', 'verified'])
    expect(keysOf('ListResponse')).toEqual(['items', 'page', 'perPage', 'totalItems', 'totalPages'])
    expect(keysOf('AuthResponse')).toEqual(['record', 'token'])
    expect(keysOf('BatchRequest')).toEqual(['requests'])
    expect(keysOf('SubRequest')).toEqual(['body', 'method', 'url'])
    expect(keysOf('PasswordSignIn')).toEqual(['identity', 'password'])
    expect(left.MfaChallenge).toMatchObject({ required: ['mfaId'] })
    expect(Object.keys(parameters)).toEqual(['table', 'id'])
    for (const name of ['Error', 'FieldError', 'BatchError', 'AuthMethods', 'OtpSignIn', 'Expansion'])
      expect(left[name], name).toBeUndefined()
    for (const item of Object.values(stated.paths ?? {}))
      for (const each of Object.values(item ?? {}))
        if ('responses' in Object(each))
          expect(Object.keys((each as Part).responses as object)).toEqual(['2XX'])
  })
})

it('15: the description and the other data can be imported', () => {
  for (const name of [
    'openapi.yaml',
    'requirements.yaml',
    'profile/list.yaml',
    'gaps.yaml',
    'tables.yaml',
    'report.schema.json',
    'target.schema.json',
  ]) {
    const address = import.meta.resolve(`record-auth-conformance/${name}`)
    expect(existsSync(fileURLToPath(address)), name).toBe(true)
  }
  // The build writes these: test/packed.test.ts imports them from the package.
  expect(import.meta.resolve('record-auth-conformance/openapi.json')).toMatch(/\/dist\/spec\/openapi\.json$/)
})

it.each<[number, unknown, string[]]>([
  [401, { mfaId: 'm' }, []],
  [200, { mfaId: 'm' }, []],
  [200, { mfaId: 'm', token: null, record: null }, []],
  [200, { mfaId: 'm', status: 'one more to go' }, []],
  [200, { error: { code: 'wrong' } }, []],
  [200, { mfaId: 7 }, ['wire.schema (profile)']],
  [202, { mfaId: 'm' }, ['wire.documented-status (profile)']],
  [200, { mfaId: 'm', token: 7 }, ['auth.response-record (stated)', 'auth.response-token (stated)']],
])('16: a first factor with status %i may return %j', (status, value, findings) => {
  expect(broken('authWithPassword', status, value).sort()).toEqual(findings)
})
