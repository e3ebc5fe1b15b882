import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../vocabulary/api.ts'
import {
  ExpectationError,
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  requestName,
} from './expect.ts'

function statusFailure(received: number, wanted: number | number[]): string {
  const response = { status: received, ok: received >= 200 && received < 300, text: '' } as ApiResponse
  try {
    expectStatus(response, wanted, 'a sign-in')
  } catch (error) {
    if (error instanceof ExpectationError) return error.message
  }
  return 'no expectation failed'
}

function failure(actual: unknown, expected: unknown): ExpectationError {
  try {
    expectEqual(actual, expected, 'the record')
  } catch (error) {
    if (error instanceof ExpectationError) return error
  }
  throw new Error('no expectation failed')
}

describe('two values that differ', () => {
  it('are shown in full if they are short', () => {
    expect(failure({ a: 1 }, { a: 2 })).toMatchObject({
      message: 'unexpected value for the record',
      expected: '{"a":2}',
      received: '{"a":1}',
    })
  })

  const long = 'x'.repeat(500)
  it.each<[string, unknown, unknown, string, string, string]>([
    ['a value', { long, a: { b: [1, 2] } }, { long, a: { b: [1, 3] } }, 'a.b[1]', '3', '2'],
    ['a key too few', { long }, { long, a: null }, 'a', 'null', 'undefined'],
    ['a key too many', [{ long, a: 1 }], [{ long }], '[0].a', 'undefined', '1'],
    ['another kind', { long, a: [] }, { long, a: {} }, 'a', '{}', '[]'],
    ['a list too short', { long, a: [1] }, { long, a: [1, 2] }, 'a', '[1,2]', '[1]'],
  ])('are shown at their difference if they are long: %s', (_, actual, expected, path, wanted, got) => {
    expect(failure(actual, expected)).toMatchObject({
      message: `unexpected value for the record: it differs in ${path}`,
      expected: wanted,
      received: got,
    })
  })

  it('are shown in full if nothing inside distinguishes them', () => {
    const { message, received } = failure(long, `${long}y`)
    expect(message).toBe('unexpected value for the record')
    expect(received).toHaveLength(502)
  })
})

it('shows as JSON what a server sent instead of a string', () => {
  const id = 7 as unknown as string
  expect(new ExpectationError('the id differs', id, id)).toMatchObject({ expected: '7', received: '7' })
})

it.each<[string, number, number | number[], string]>([
  ['a success instead of a rejection', 200, 400, 'a sign-in was not rejected'],
  ['a success instead of one of two rejections', 204, [400, 403], 'a sign-in was not rejected'],
  ['a rejection instead of a success', 400, 200, 'a sign-in was rejected'],
  ['another success', 200, 204, 'a sign-in returned another status'],
  ['another rejection', 404, 403, 'a sign-in returned another status'],
  ['a server error instead of a success', 500, 200, 'a sign-in returned another status'],
  ['a server error instead of a rejection', 500, 400, 'a sign-in returned another status'],
  ['a rejection where either is right', 404, [204, 400], 'a sign-in returned another status'],
  ['the right one of two', 400, [204, 400], 'no expectation failed'],
])('says what is wrong with a status: %s', (_, received, wanted, message) => {
  expect(statusFailure(received, wanted)).toBe(message)
})

it.each([
  ['another rejection', 404, 403, true],
  ['a success', 200, 403, false],
  ['a server error', 500, 403, false],
  ['a rejection instead of a success', 400, 200, false],
])('knows whether a request was rejected as it should be: %s', (_, status, wanted, rejected) => {
  const response = { status, ok: status < 300, text: '' } as ApiResponse
  expect(() => expectStatus(response, wanted, 'a sign-in')).toThrow(expect.objectContaining({ rejected }))
})

it('does not compile without what is right', () => {
  // @ts-expect-error an empty string
  expect(() => expectThat(false, 'a fact', '')).toThrow('a fact')
  // @ts-expect-error no string
  expect(() => expectThat(false, 'a fact')).toThrow('a fact')
})

it('names a request by its operation, or by its method where it has none', () => {
  const response = (exchange: object) => ({ ok: false, status: 400, text: '', exchange }) as ApiResponse
  const create = response({ operation: 'createRecord', request: { method: 'POST' } })
  expect(requestName(create)).toBe('the createRecord request')
  expect(requestName(create, 'invalid')).toBe('the invalid createRecord request')
  expect(requestName(response({ request: { method: 'PUT' } }), 'invalid')).toBe('the invalid PUT request')
  expect(() => expectSuccess(create)).toThrow('the createRecord request was rejected')
})
