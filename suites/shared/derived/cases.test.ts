import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../spec/json-schema.ts'
import { operations } from '../../../spec/openapi.ts'
import { loadTables } from '../../../spec/tables.ts'
import { bodyKeysOf } from './body-keys.ts'
import { casesOf } from './cases.ts'

const all = operations().flatMap(({ id }) => casesOf(id))
const namesOf = (id: (typeof all)[number]['operation'], place: string) =>
  new Set(
    casesOf(id)
      .filter((each) => each.place === place)
      .map(({ name }) => name),
  )

describe('the cases of the description', () => {
  it('are so many for each operation', () => {
    expect(Object.fromEntries(operations().map(({ id }) => [id, casesOf(id).length]))).toMatchInlineSnapshot(`
      {
        "authRefresh": 46,
        "authWithOAuth2": 150,
        "authWithOtp": 116,
        "authWithPassword": 129,
        "batch": 107,
        "confirmEmailChange": 75,
        "confirmPasswordReset": 89,
        "confirmVerification": 60,
        "createRecord": 515,
        "deleteRecord": 25,
        "impersonate": 86,
        "listAuthMethods": 34,
        "listRecords": 102,
        "requestEmailChange": 64,
        "requestOtp": 70,
        "requestPasswordReset": 61,
        "requestVerification": 61,
        "updateRecord": 537,
        "viewRecord": 47,
      }
    `)
  })

  it('are listed alike each time, under titles of their own', () => {
    for (const { id } of operations()) {
      const titles = casesOf(id).map(({ title }) => title)
      expect(new Set(titles).size, id).toBe(titles.length)
      expect(casesOf(id)).toBe(casesOf(id))
    }
  })

  it('change each parameter of each operation', () => {
    for (const { id, parameters } of operations())
      for (const { name, in: place } of parameters)
        expect(namesOf(id, place === 'path' ? 'path parameter' : 'query parameter'), id).toContain(name)
  })

  it('change each key of each body, and each level of it', () => {
    for (const operation of operations()) {
      const keys = namesOf(operation.id, 'body key')
      for (const { name } of bodyKeysOf(operation)) expect(keys, operation.id).toContain(name)
      if (operation.requestBody) expect(keys, operation.id).toContain('no-such-key')
    }
    expect(namesOf('batch', 'body key')).toContain('requests[].no-such-key')
  })

  it('know the keys that schemas compose and nest', () => {
    const names = (id: string) =>
      bodyKeysOf(operations().find((each) => each.id === id) ?? expect.fail(id)).map(({ name }) => name)
    expect(names('authWithPassword')).toEqual(['identity', 'password', 'identityField', 'mfaId'])
    expect(names('batch')).toEqual([
      'requests',
      'requests[].method',
      'requests[].url',
      'requests[].body',
      'requests[].headers',
    ])
  })

  it('take the fields of records from the tables, but for the id', () => {
    const fields = (role: string) =>
      loadTables()
        .find((table) => table.role === role)
        ?.definition.fields?.map(({ name }) => `${role}.${name}`) ?? []
    for (const id of ['createRecord', 'updateRecord'] as const) {
      const keys = casesOf(id).filter(({ place }) => place === 'body key')
      const named = new Set(keys.map(({ role, name }) => `${role}.${name}`))
      for (const field of [...fields('everything'), ...fields('constrained')]) expect(named).toContain(field)
      expect(named).toContain('everything.collectionName')
      expect(named).not.toContain('everything.id')
    }
  })

  it('leave out, empty, lengthen and repeat what a body requires', () => {
    const ways = casesOf('authWithPassword')
      .filter(({ name }) => name === 'identity')
      .map(({ mutation }) => mutation)
    expect(new Set(ways)).toEqual(
      new Set([
        'omitted',
        'null',
        'of a wrong type',
        'empty',
        'unknown',
        'malformed',
        'at a bound',
        'beyond a bound',
        'duplicated',
      ]),
    )
  })

  it('write each body in each of its media types', () => {
    for (const { id, requestBody } of operations()) {
      const others = Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json')
      expect([...namesOf(id, 'media type')]).toEqual(others)
    }
  })

  it('request each path once for each method that it does not have', () => {
    const paths = new Set(operations().map(({ path }) => path))
    for (const path of paths) {
      const here = operations().filter((each) => each.path === path)
      const asked = here.flatMap(({ id }) => [...namesOf(id, 'method')])
      const described = here.map(({ method }) => method)
      expect([...asked, ...described].sort()).toEqual(
        ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].sort(),
      )
    }
  })

  it('never make a record of a body without the strings of the run', () => {
    const whole = casesOf('createRecord').filter(({ place }) => place === 'body')
    expect(whole.map(({ title }) => title)).toEqual([
      'body malformed (cut off)',
      'body malformed (text after it)',
      'body malformed (a byte order mark before it)',
    ])
  })

  it('never leave a segment of a path empty', () => {
    const segments = all.filter(({ place }) => place === 'path parameter')
    expect(segments.flatMap(({ change }) => change('right')).filter((value) => value === '')).toEqual([])
  })

  it('break the schema where they say so, and only there', () => {
    const lengths = casesOf('confirmPasswordReset').filter(({ name }) => name === 'password')
    const maxLength = 255
    const schema: JsonSchema = { maxLength }
    const strings = lengths.flatMap(({ mutation, change }) =>
      mutation === 'at a bound' || mutation === 'beyond a bound' ? [String(change('secret')[0]).length] : [],
    )
    expect(strings).toEqual([schema.maxLength, maxLength + 1])
  })
})
