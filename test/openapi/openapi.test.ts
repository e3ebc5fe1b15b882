/**
 * The OpenAPI description is right: three judges who are not us, a strict schema compiler, and the claims that it makes
 * about itself.
 */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validate as judge } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { operationsFile } from '../../scripts/generate-operations.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { formats } from '../../spec/formats.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import {
  extensionKeywords,
  openApiDocument,
  operation,
  operations,
  requestSchema,
  responseSchema,
} from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

const root = new URL('../..', import.meta.url)
const run = promisify(execFile)

// The type makes this list complete: an id that is missing or too many does not compile.
const IDS: Record<OperationId, true> = {
  listRecords: true,
  viewRecord: true,
  createRecord: true,
  updateRecord: true,
  deleteRecord: true,
  batch: true,
  listAuthMethods: true,
  authWithPassword: true,
  authWithOAuth2: true,
  requestOtp: true,
  authWithOtp: true,
  authRefresh: true,
  impersonate: true,
  requestVerification: true,
  confirmVerification: true,
  requestPasswordReset: true,
  confirmPasswordReset: true,
  requestEmailChange: true,
  confirmEmailChange: true,
}
const MFA_STEPS = ['authWithPassword', 'authWithOAuth2', 'authWithOtp']

const ajv = new Ajv2020({ strict: true, allErrors: true, formats })
ajv.addVocabulary([...extensionKeywords])

function compile(schema: JsonSchema | undefined): ValidateFunction {
  if (!schema) throw new Error('there is no schema to compile')
  return ajv.compile(schema)
}

describe('judges', () => {
  it('Redocly has nothing to say', async () => {
    const { stdout } = await run(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=json', '--max-problems=1000'],
      {
        cwd: root,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    })
  }, 60_000)

  // It takes half a minute.
  it.runIf(inFull)(
    'Spectral has nothing to say',
    async () => {
      const linter = new spectral.Spectral()
      // The project has no email address.
      const rules = rulesets.oas as unknown as RulesetDefinition
      linter.setRuleset({ extends: [[rules, 'all']], rules: { 'contact-properties': 'off' } })
      const file = fileURLToPath(new URL('spec/openapi.yaml', root))
      const problems = await linter.run(new spectral.Document(readFileSync(file, 'utf8'), parsers.Yaml, file))
      expect(problems.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)).toEqual([])
    },
    180_000,
  )

  it('it is valid against the schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(fileURLToPath(new URL('spec/openapi.yaml', root)))
    expect(result).toEqual({ valid: true })
  })

  it('and so are the schemas inside it, for another implementation', async () => {
    const dialect = 'https://spec.openapis.org/oas/3.1/schema-base'
    const description = structuredClone(openApiDocument()) as never
    expect(await judge(dialect, description)).toMatchObject({ valid: true })
    const broken = structuredClone(openApiDocument())
    Object.assign(broken.components?.schemas?.RecordTime ?? {}, { type: 'text' })
    expect(await judge(dialect, broken as never)).toMatchObject({ valid: false })
  })
})

describe('operations', () => {
  it('are exactly the members of OperationId, each once', () => {
    expect(
      operations()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.keys(IDS).sort())
  })

  it('have every placeholder of their path as a parameter', () => {
    for (const { path, parameters } of operations()) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(placeholders)
    }
  })

  it('document one success, and too large and too many for all', () => {
    for (const { id, responses } of operations()) {
      const statuses = [...responses.keys()]
      expect(
        statuses.filter((status) => status < 300),
        id,
      ).toHaveLength(1)
      expect(statuses, id).toEqual(expect.arrayContaining([400, 413, 429]))
    }
  })

  it('know the three kinds of token, all in the same header', () => {
    const schemes = Object.entries(openApiDocument().components?.securitySchemes ?? {})
    expect(schemes.map(([name]) => name)).toEqual(['userSession', 'superuser', 'projectKey'])
    for (const [, scheme] of schemes)
      expect(scheme).toMatchObject({ type: 'apiKey', in: 'header', name: 'Authorization' })
  })
})

describe('schemas', () => {
  const questions = operations().flatMap((each) =>
    [...each.responses.keys()].flatMap((status) => {
      const schema = responseSchema(each, status)
      return schema
        ? [{ name: `${each.id} ${status}`, schema, picked: responseSchema(each, status, { picked: true }) }]
        : []
    }),
  )
  const requests = operations().flatMap((each) =>
    Object.keys(each.requestBody?.content ?? {}).map((type) => ({
      name: `${each.id} ${type}`,
      schema: requestSchema(each, type),
    })),
  )

  it('compile strictly for responses', () => {
    expect(questions.length).toBeGreaterThan(100)
    for (const { name, schema, picked } of questions) {
      expect(() => compile(schema), name).not.toThrow()
      expect(() => compile(picked), `${name}, keys picked`).not.toThrow()
    }
  })

  it('compile strictly for requests', () => {
    for (const { name, schema } of requests) expect(() => compile(schema), name).not.toThrow()
  })

  it('every error response has the error envelope with its own status, and the challenge of two steps has not', () => {
    for (const each of operations())
      for (const status of [...each.responses.keys()].filter((code) => code >= 400)) {
        const validate = compile(responseSchema(each, status))
        const challenge = status === 401 && MFA_STEPS.includes(each.id)
        const error = { data: {}, message: 'No.', status }
        expect(validate(error), `${each.id} ${status}`).toBe(!challenge)
        expect(validate({ mfaId: 'abc' }), `${each.id} ${status}`).toBe(challenge)
        expect(validate({ ...error, status: status + 1 }), `${each.id} ${status}`).toBe(false)
        expect(validate({}), `${each.id} ${status}`).toBe(false)
      }
  })
})

const record = {
  id: 'a',
  collectionId: 'b',
  collectionName: 'c',
  created: '2024-01-02 03:04:05.006Z',
  updated: '2024-01-02 03:04:05.006Z',
}
const user = { ...record, email: 'a@example.com', emailVisibility: false, verified: true }
const page = { page: 1, perPage: 30, totalItems: 1, totalPages: 1, items: [record] }
const fail = { data: {}, message: 'No.', status: 400 }
const required = { code: 'validation_required', message: 'Cannot be blank.' }

function judged(id: OperationId, status: number, body: unknown, picked = false): boolean {
  return compile(responseSchema(operation(id), status, { picked }))(body)
}

describe('what the schemas accept', () => {
  it.each<[string, OperationId, number, unknown]>([
    ['a record', 'viewRecord', 200, record],
    ['its own fields', 'viewRecord', 200, { ...record, title: 'x', geo: { lon: 1, lat: 2 }, list: [] }],
    ['an empty base password', 'viewRecord', 200, { ...record, password: '' }],
    ['a private address', 'viewRecord', 200, { ...user, email: undefined }],
    ['expanded', 'viewRecord', 200, { ...record, expand: { one: record, many: [user], none: [] } }],
    ['a page', 'listRecords', 200, page],
    ['no totals', 'listRecords', 200, { ...page, totalItems: -1, totalPages: -1 }],
    ['an empty page', 'listRecords', 200, { ...page, items: [] }],
    [
      'a batch',
      'batch',
      200,
      [
        { status: 200, body: record },
        { status: 204, body: null },
      ],
    ],
    ['a field error', 'createRecord', 400, { ...fail, data: { code: required, title: required } }],
    ['a nested one', 'batch', 400, { ...fail, data: { requests: { 0: { url: required } } } }],
    [
      'a failed batch',
      'batch',
      400,
      {
        ...fail,
        data: {
          requests: { 3: { code: 'batch_request_failed', message: 'x', response: { ...fail, status: 404 } } },
        },
      },
    ],
    ['a sign-in', 'authWithPassword', 200, { token: 't', record: user }],
  ])('%s', (_, id, status, body) => {
    expect(judged(id, status, JSON.parse(JSON.stringify(body)))).toBe(true)
  })

  it('keys taken away by fields, but only then', () => {
    for (const [id, body] of [
      ['viewRecord', {}],
      ['viewRecord', { created: '2024...' }],
      ['listRecords', { ...page, items: [{ title: 'x' }] }],
      ['batch', [{ body: null }, { status: 200 }, {}]],
      ['authRefresh', { record: { id: 'a' } }],
      ['listAuthMethods', { otp: { enabled: true } }],
    ] as const) {
      expect(judged(id, 200, body, true), id).toBe(true)
      expect(judged(id, 200, body), id).toBe(false)
    }
  })
})

describe('what the schemas reject', () => {
  it.each<[string, OperationId, number, unknown]>([
    ['no id', 'viewRecord', 200, { ...record, id: undefined }],
    ['a number as id', 'viewRecord', 200, { ...record, id: 1 }],
    ['no table id', 'viewRecord', 200, { ...record, collectionId: undefined }],
    ['no table name', 'viewRecord', 200, { ...record, collectionName: undefined }],
    ['no created', 'viewRecord', 200, { ...record, created: undefined }],
    ['another form of time', 'viewRecord', 200, { ...record, updated: '2024-01-02T03:04:05.006Z' }],
    ['a base password', 'viewRecord', 200, { ...record, password: 'secret' }],
    ['a password', 'viewRecord', 200, { ...user, password: '' }],
    ['a hash', 'listRecords', 200, { ...page, items: [{ ...user, passwordHash: 'x' }] }],
    ['a token key', 'createRecord', 200, { ...user, tokenKey: 'x' }],
    [
      'a secret of an expanded one',
      'viewRecord',
      200,
      { ...record, expand: { a: [{ ...user, tokenKey: 'x' }] } },
    ],
    ['a secret of who signs in', 'authWithPassword', 200, { token: 't', record: { ...user, tokenKey: 'x' } }],
    ['a secret in a batch', 'batch', 200, [{ status: 200, body: { ...user, password: 'x' } }]],
    ['no page', 'listRecords', 200, { ...page, page: undefined }],
    ['half a page', 'listRecords', 200, { ...page, perPage: 1.5 }],
    ['page zero', 'listRecords', 200, { ...page, page: 0 }],
    ['no total', 'listRecords', 200, { ...page, totalItems: null }],
    ['items that are none', 'listRecords', 200, { ...page, items: null }],
    ['items of text', 'listRecords', 200, { ...page, items: ['x'] }],
    ['a deletion with a body', 'batch', 200, [{ status: 204, body: record }]],
    ['a creation without', 'batch', 200, [{ status: 200, body: null }]],
    ['no token', 'authRefresh', 200, { record: user }],
    ['no record', 'authRefresh', 200, { token: 't' }],
    ['an unsaid address', 'authRefresh', 200, { token: 't', record: { ...user, email: undefined } }],
    ['an unsaid state', 'authRefresh', 200, { token: 't', record: { ...user, verified: 'yes' } }],
    ['an error without data', 'viewRecord', 404, { message: 'No.', status: 404 }],
    ['an error with a code', 'viewRecord', 404, { ...fail, status: 404, code: 404 }],
    ['a field error of text', 'createRecord', 400, { ...fail, data: { title: 'missing' } }],
    ['a field error without message', 'createRecord', 400, { ...fail, data: { title: { code: 'x' } } }],
    [
      'a bound unsaid',
      'createRecord',
      400,
      { ...fail, data: { n: { code: 'validation_max_number_constraint', message: 'x' } } },
    ],
    [
      'a failed entry without its error',
      'batch',
      400,
      { ...fail, data: { requests: { 0: { code: 'batch_request_failed', message: 'x' } } } },
    ],
    ['a challenge that is an error', 'authWithOtp', 401, { mfaId: 'x', status: 401 }],
  ])('%s', (_, id, status, body) => {
    expect(judged(id, status, JSON.parse(JSON.stringify(body)))).toBe(false)
  })
})

it('the list of operations matches the present description', async () => {
  expect(await operationsFile.written(), 'run: npm run generate').toBe(operationsFile.expected())
})
