import { describe, expect, it } from 'vitest'
import { NO_TABLE } from '../../../harness/support/no-record.ts'
import type { DerivedCase } from './case.ts'
import { applied, type Draft, draftText } from './draft.ts'

const draft: Draft = {
  operation: 'authWithPassword',
  method: 'POST',
  template: '/api/v1/collections/{table}/auth-with-password',
  path: { table: 'users' },
  query: [['expand', 'team']],
  headers: { 'content-type': 'application/json', authorization: 'token' },
  body: { identity: 'me', password: 'secret', requests: [{ a: 1 }, { a: 2 }] },
  encoding: 'application/json',
}
const derived = (part: Pick<DerivedCase, 'place' | 'name' | 'change'>): DerivedCase => ({
  operation: 'authWithPassword',
  mutation: 'unknown',
  keeps: false,
  title: 'a case',
  ...part,
})
const change = (place: DerivedCase['place'], name: string, ...values: unknown[]) =>
  applied(draft, derived({ place, name, change: () => values }))

describe('a case changes', () => {
  it('one segment of the path', () => {
    expect(change('path parameter', 'table', 'none').path).toEqual({ table: 'none' })
  })

  it('one parameter of the query, which may appear twice, with a suffix, or as it is', () => {
    expect(change('query parameter', 'expand', 'a', 'b').query).toEqual([
      ['expand', 'a'],
      ['expand', 'b'],
    ])
    expect(change('query parameter', 'expand', { suffix: '[]', text: 'a' }).query).toEqual([
      ['expand[]', 'a'],
    ])
    expect(change('query parameter', 'page', { raw: '%FF' }).query).toEqual([
      ['expand', 'team'],
      ['page', { raw: '%FF' }],
    ])
  })

  it('one header, whose lines are a list', () => {
    expect(change('header', 'Authorization').headers).toEqual({ 'content-type': 'application/json' })
    expect(change('header', 'Authorization', 'a', 'b').headers.authorization).toBe('a, b')
  })

  it('one key of the body, by its way', () => {
    expect(change('body key', 'password').body).not.toHaveProperty('password')
    expect(change('body key', 'requests[].a', null).body).toMatchObject({ requests: [{ a: 1 }, { a: null }] })
    expect(change('body key', 'new', 'x').body).toMatchObject({ identity: 'me', new: 'x' })
  })

  it('one key that then appears twice', () => {
    const twice = change('body key', 'requests[].a', 'one', 'two')
    expect(draftText(twice.body)).toBe(
      '{"identity":"me","password":"secret","requests":[{"a":1},{"a":"one","a":"two"}]}',
    )
  })

  it('the body as a whole, or its bytes', () => {
    expect(change('body', '')).not.toHaveProperty('body')
    expect(change('body', '', null).body).toBeNull()
    expect(change('body', '', { raw: '{' })).toMatchObject({ text: '{' })
  })

  it('the media type, with the header that says so', () => {
    const form = 'application/x-www-form-urlencoded'
    expect(change('media type', form)).toMatchObject({
      encoding: form,
      headers: { 'content-type': form },
      body: draft.body,
    })
  })

  it('the method, without a body, and never at the records of a table', () => {
    expect(change('method', '', 'PUT')).toMatchObject({ method: 'PUT', path: { table: 'users' } })
    expect(change('method', '', 'PUT')).not.toHaveProperty('body')
    const list = { ...draft, template: '/api/v1/collections/{table}/records' }
    const by = (method: string) =>
      applied(list, derived({ place: 'method', name: method, change: () => [method] }))
    expect(by('DELETE').path).toEqual({ table: NO_TABLE })
    expect(by('HEAD').path).toEqual({ table: 'users' })
  })

  it('nothing else', () => {
    const before = structuredClone(draft)
    change('body key', 'requests[].a', null)
    expect(draft).toEqual(before)
  })
})
