/**
 * The compiled schemas against an independent implementation of JSON Schema, which reads the description as it is
 * published: on thousands of responses, right ones and ones broken in one place, both say the same. And no keyword of the
 * description is there without biting.
 */

import { readFileSync } from 'node:fs'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../exchange/json-object.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { operationPaths } from '../spec/generated/operations.ts'
import type { JsonSchema } from '../spec/json-schema.ts'
import { operation, responseSchema } from '../spec/openapi.ts'
import { portableSchema } from '../test/support/portable-schema.ts'
import { exchangesIn, note, page, rejected, time } from '../test/validate/exchanges.ts'
import { splitUrl } from './find-operation.ts'
import type { CompiledSchema } from './judge-response.ts'
import { describedResponse, operationEntries } from './operation-entries.ts'

/** Of the broken bodies; the independent implementation takes its time. */
const everyNth = inFull ? 1 : 3

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

interface Pair {
  name: string
  ours: CompiledSchema
  theirs: (body: Json) => boolean
}

const authRecord = { ...note(), email: 'a@example.com', emailVisibility: true, verified: true }
const meta = {
  id: '1',
  name: 'a',
  username: 'a',
  email: '',
  avatarURL: '',
  accessToken: 't',
  refreshToken: '',
  expiry: '',
  rawUser: {},
  isNew: true,
}
const provider = {
  name: 'oidc',
  displayName: 'O',
  state: 's',
  authURL: 'https://x',
  codeVerifier: 'v',
  codeChallenge: 'c',
  codeChallengeMethod: 'S256',
}
const fieldError = (code: string, params: object) => ({ code, message: 'No.', params })
const data = {
  a: fieldError('validation_min_text_constraint', { min: 1 }),
  b: fieldError('validation_min_number_constraint', { min: 1 }),
  c: fieldError('validation_file_size_limit', { file: 'x', maxSize: 1 }),
  d: fieldError('validation_length_out_of_range', { min: 1, max: 2 }),
  e: fieldError('validation_invalid_provider', { name: 'x' }),
  f: fieldError('validation_other', { threshold: '2020-01-01T00:00:00Z', invalidFiles: ['x'] }),
}
const failedBatches = [
  { requests: { '1': { code: 'batch_request_failed', message: 'No.', response: { ...rejected, data } } } },
  { requests: { '0': { method: { code: 'validation_required', message: 'No.' } } } },
  { requests: { '0': { code: 'validation_required', message: 'No.' } } },
  { requests: fieldError('validation_length_too_long', { max: 50, min: 0 }) },
]

/** A body that conforms, for every schema there is. */
function seeds(id: string, status: number): unknown[] {
  if (id === 'batch' && status === 400)
    return [...failedBatches.map((failed) => ({ ...rejected, data: failed })), rejected]
  if (id === 'batch' && status > 400) return [{ ...rejected, status, data: {} }]
  if (status === 401 && id.startsWith('authWith')) return [{ mfaId: 'm' }]
  if (status >= 400)
    return [
      { status, message: 'No.', data },
      { status, message: 'No.', data: {} },
    ]
  if (id === 'listRecords')
    return [page(), page({ items: [note(0, { expand: { one: note(1), many: [authRecord] } })] }, 1)]
  if (id === 'batch')
    return [
      [
        { status: 200, body: note() },
        { status: 204, body: null },
      ],
    ]
  if (id === 'listAuthMethods') {
    const timed = { enabled: true, duration: 180 }
    return [
      {
        password: { enabled: true, identityFields: ['email'] },
        oauth2: { enabled: true, providers: [provider] },
        mfa: timed,
        otp: timed,
      },
    ]
  }
  if (id === 'requestOtp') return [{ otpId: 'o' }]
  if (id === 'authWithOAuth2') return [{ token: 't', record: authRecord, meta }]
  if (id === 'authWithPassword')
    return [
      { token: 't', record: authRecord },
      { mfaId: 'm' },
      { error: { code: 'x' }, token: null, record: null },
    ]
  if (id.startsWith('auth') || id === 'impersonate') return [{ token: 't', record: authRecord }]
  return [note(), authRecord]
}

const instead: Json[] = [
  null,
  true,
  0,
  -5,
  1.5,
  10_000,
  '',
  'x',
  'X y',
  '$2a$10$x',
  time,
  [],
  [1],
  {},
  { code: 'x' },
  { a: 1 },
]

/** Every value replaced by every other kind, every key taken away, one added. */
function* broken(body: Json): Generator<Json> {
  for (const value of instead) yield value
  if (Array.isArray(body)) {
    for (const [at, inner] of body.entries())
      for (const other of broken(inner)) yield body.map((each, index) => (index === at ? other : each))
    return
  }
  if (typeof body !== 'object' || body === null) return
  for (const [key, inner] of Object.entries(body)) {
    const { [key]: _gone, ...rest } = body
    yield rest
    for (const other of broken(inner)) yield { ...body, [key]: other }
  }
  for (const key of ['passwordHash', 'password', 'clientSecret', 'status', 'more'])
    yield { ...body, [key]: 'added' }
}

const pairs = new Map<string, Pair>()

type Check = Awaited<ReturnType<typeof validate>>

/** By schema: most responses share theirs with others, and compiling one takes longer than using it. */
const compiled = new Map<string, Check>()

async function compile(schema: JsonSchema): Promise<Check> {
  const portable = portableSchema(schema)
  const text = JSON.stringify(portable)
  const known = compiled.get(text)
  if (known !== undefined) return known
  const uri = `https://example.com/${compiled.size}`
  registerSchema(portable as never, uri)
  const check = await validate(uri)
  compiled.set(text, check)
  return check
}

beforeAll(async () => {
  for (const entry of operationEntries()) {
    for (const status of Object.keys(entry.responses).map(Number)) {
      for (const picked of [false, true]) {
        const ours = describedResponse(entry, status, picked)?.schema
        const asPublished = operation(entry.id).responses.get(status)?.content['application/json']
        const schema = picked ? responseSchema(operation(entry.id), status, { picked }) : asPublished
        if (ours === undefined || schema === undefined) continue
        const name = `${entry.id} ${status}${picked ? ' picked' : ''}`
        const check = await compile(schema)
        pairs.set(name, { name, ours, theirs: (body) => check(body as never).valid })
      }
    }
  }
})

const used = new Set<string>()
function keywordsOf(schema: unknown, found: Set<string>): void {
  if (Array.isArray(schema)) for (const each of schema) keywordsOf(each, found)
  if (!isObject(schema)) return
  for (const [key, value] of Object.entries(schema as JsonSchema)) {
    if (key === 'properties' || key === '$defs')
      for (const each of Object.values(value as object)) keywordsOf(each, found)
    else {
      found.add(key)
      if (!['const', 'enum', 'examples', 'if', 'required'].includes(key)) keywordsOf(value, found)
    }
  }
}

describe('both say the same', () => {
  const bitten = new Set<string>()

  it('of responses that conform, and of each broken in one place', () => {
    let bodies = 0
    let rejected = 0
    // Statuses that share a schema share their corpus as well.
    const seen = new Set<string>()
    for (const pair of pairs.values()) {
      const [id = '', status] = pair.name.split(' ')
      for (const seed of seeds(id, Number(status)) as Json[]) {
        const key = `${JSON.stringify(pair.ours.schema)} ${JSON.stringify(seed)}`
        if (seen.has(key)) continue
        seen.add(key)
        expect([pair.name, pair.ours.check(seed)]).toEqual([pair.name, []])
        expect([pair.name, pair.theirs(seed)]).toEqual([pair.name, true])
        for (const body of broken(seed)) {
          bodies += 1
          if (bodies % everyNth !== 0) continue
          const first = pair.ours.check(body)
          if ((first.length === 0) !== pair.theirs(body))
            expect.fail(
              `${pair.name}: ours ${JSON.stringify(first)}, theirs ${pair.theirs(body)}, of ${JSON.stringify(body)}`,
            )
          if (first.length === 0) continue
          rejected += 1
          const all = pair.ours.errors(body)
          expect(all.length).toBeGreaterThan(0)
          for (const { keyword } of all) bitten.add(keyword)
        }
        keywordsOf(pair.ours.schema, used)
      }
    }
    expect(bodies).toBeGreaterThan(5_000)
    expect(rejected).toBeGreaterThan(inFull ? 2_000 : 1_000)
  }, 120_000)

  it('of what the living server family returned', async () => {
    const capture = readFileSync(new URL('./living-capture.ndjson', import.meta.url), 'utf8')
    let compared = 0
    for (const exchange of await exchangesIn(capture)) {
      const { method, url } = exchange.request
      const path = `/${splitUrl(url)[0].split('/').slice(2).join('/')}`
      const entry = operationPaths.find(
        ({ method: own, segments }) =>
          own === method && new RegExp(`^/${segments.join('/').replace(/\{\w+\}/g, '[^/]*')}$`).test(path),
      )
      const text = exchange.response.body as string | undefined
      const pair = pairs.get(
        `${entry?.id} ${exchange.response.status}${url.includes('fields=') ? ' picked' : ''}`,
      )
      if (pair === undefined || !text) continue
      const body = JSON.parse(text) as Json
      expect([pair.name, pair.ours.check(body).length === 0]).toEqual([pair.name, pair.theirs(body)])
      compared += 1
    }
    expect(compared).toBeGreaterThan(20)
  })

  it('and every keyword of the description has rejected something', () => {
    const silent = /^(\$|x-|description$|deprecated$|examples$|allOf$|then$|else$|properties$|items$)/
    const asserting = [...used].filter(
      (keyword) => !silent.test(keyword) && keyword !== 'additionalProperties',
    )
    expect(asserting.filter((keyword) => !bitten.has(keyword))).toEqual([])
    expect(bitten).toContain('additionalProperties')
    expect(asserting.sort()).toMatchInlineSnapshot(`
      [
        "anyOf",
        "const",
        "enum",
        "format",
        "if",
        "maximum",
        "minLength",
        "minProperties",
        "minimum",
        "not",
        "pattern",
        "required",
        "type",
      ]
    `)
  })
})
