import { describe, expect, test } from 'vitest'
import { matching as found, item, reader, user } from '../../test/query/item-world.ts'
import { smallRequest, smallScope } from '../../test/query/small-world.ts'
import type { Caller, RequestInfo, Row } from '../vocabulary.ts'
import { QueryError } from './query-error.ts'
import { compileRule, satisfies } from './rule.ts'

describe('references of rules', () => {
  const caller: Caller = {
    kind: 'record',
    table: user,
    row: reader.get(user, 'u0') as Row,
    token: { text: '', refreshable: true, expires: 0 },
  }
  const request: Partial<RequestInfo> = {
    caller,
    method: 'PATCH',
    query: { sure: 'yes' },
    headers: () => ({ x_token: 'Open' }),
    body: { t: 'A', n: 3, rm: ['k0', 'k1'], r: 'k1', g: { lon: 1, lat: 2 }, extra: { list: [7] } },
    sent: new Set(['t', 'n', 'rm', 'r', 'extra']),
  }
  test.each([
    ['us = @request.auth.id', '2'],
    ['@request.auth.id != ""', '01234'],
    ['@request.auth.team.up.name = "c0"', '01234'],
    ['@request.auth.nope = null', '01234'],
    ['@request.auth.collectionName = "user"', '01234'],
    ['@request.auth.password != ""', '01234'],
    ['@request.method = "PATCH" && @request.context = "default"', '01234'],
    ['@request.query.sure = "yes"', '01234'],
    ['@request.query.nope = ""', '01234'],
    ['@request.query.sure:isset = true', '01234'],
    ['@request.headers.x_token:lower = "open"', '01234'],
    ['@request.body.t = t', '1'],
    ['@request.body.t:changed = true', '0234'],
    ['@request.body.u:changed = false', '01234'],
    ['@request.body.u:isset = false', '01234'],
    ['@request.body.rm:length = 2', '01234'],
    ['@request.body.rm.name ?= "c1"', '01234'],
    ['@request.body.rm.name = "c1"', ''],
    ['@request.body.rm:each ?= r', '12'],
    ['@request.body.sm:each != "a"', '01234'],
    ['@request.body.r.up.name = r.name', '1'],
    ['@request.body.g = \'{"lon":1,"lat":2}\'', '01234'],
    ['@request.body.extra.list.0 = 7', '01234'],
    ['@collection.kin.name ?= "c0" && @collection.kin.name ?= "c1"', ''],
    ['@collection.kin:a.name ?= "c0" && @collection.kin:b.name ?= "c1"', '01234'],
    ['@collection.kid.par ?= id && @collection.kid.title ?= "two"', '1'],
    ['@collection.kid.par = id', ''],
  ])('%s', (text, ids) => {
    expect(found(text, 'rule', request)).toBe(ids)
  })

  test('a guest has no fields: every path is missing, and equals empty', () => {
    expect(found('@request.auth.id = "" && @request.auth.team.name = null', 'rule')).toBe('01234')
    expect(found('us = @request.auth.id', 'rule')).toBe('014')
  })

  test('is satisfied: null by no one, empty by everyone, by superusers always', () => {
    const scope = smallScope(reader, item)
    const row = reader.get(item, 'i1') as Row
    expect(satisfies(item, null, row, scope)).toBe(false)
    expect(satisfies(item, '', row, scope)).toBe(true)
    expect(satisfies(item, 't = "A"', row, scope)).toBe(true)
    expect(satisfies(item, 't = "B"', row, scope)).toBe(false)
    expect(satisfies(item, null, row, { ...scope, superuser: true })).toBe(true)
  })

  test('a rule that cannot be resolved for the caller accepts no one', () => {
    const row = reader.get(item, 'i1') as Row
    const scope = smallScope(reader, item, { request: smallRequest(request) })
    expect(satisfies(item, '@request.auth.email.x = "" || t = "A"', row, scope)).toBe(false)
  })

  test('compileRule names what is wrong', () => {
    expect(() => compileRule(item, 'hid = @request.auth.id', reader)).not.toThrow()
    expect(() => compileRule(item, 'nope = 1', reader)).toThrow(/nope/)
    expect(() => compileRule(item, '  ', reader)).toThrow(QueryError)
  })
})
