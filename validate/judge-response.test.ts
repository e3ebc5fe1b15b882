import { describe, expect, it } from 'vitest'
import type { OperationId } from '../spec/vocabulary.ts'
import { createValidator } from './create-validator.ts'

const validator = createValidator({ checks: 'schema' })
const record = {
  id: 'a',
  collectionId: 'b',
  collectionName: 'c',
  created: '2024-01-02 03:04:05.678Z',
  updated: '2024-01-02 03:04:05.678Z',
}
const page = { page: 1, perPage: 30, totalItems: 1, totalPages: 1, items: [record] }
const account = { ...record, email: 'a@example.com', emailVisibility: true, verified: true }
const session = { token: 't', record: account }

const requests: Partial<Record<OperationId, [method: string, path: string]>> = {
  listRecords: ['GET', '/posts/records'],
  viewRecord: ['GET', '/posts/records/a'],
  createRecord: ['POST', '/posts/records'],
  deleteRecord: ['DELETE', '/posts/records/a'],
  authWithPassword: ['POST', '/users/auth-with-password'],
}

function judge(operation: OperationId, status: number, body: unknown): string[] {
  const [method, path] = requests[operation] ?? ['GET', '/']
  const { findings } = validator.validate({
    request: { method, url: `/api/v1/collections${path}` },
    response: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  })
  return findings.map(({ requirement }) => requirement)
}

it('names a mistake of all items once, and how many others make it', () => {
  const wrong = { ...record, created: 5, id: 7 }
  const { findings } = validator.validate({
    request: { method: 'GET', url: '/api/v1/collections/posts/records' },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...page, items: [wrong, wrong, { ...record, updated: 'now' }, wrong] }),
    },
  })
  expect(findings.map(({ path, others }) => [path, others])).toEqual([
    ['$.items[0].id', 2],
    ['$.items[0].created', 2],
    ['$.items[2].updated', undefined],
  ])
  expect(String(findings[0])).toContain('at        $.items[0].id, and 2 other places of this kind')
})

it('counts other places, whatever is wrong there, and not the same place twice', () => {
  const items = [5, 5, 'now', 'now'].map((created) => ({ ...record, created }))
  const others = (status: number, body: unknown, method: string, path: string) =>
    createValidator()
      .validate({
        request: { method, url: `/api/v1/collections/posts/records${path}` },
        response: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      })
      .findings.map(({ requirement, others }) => [requirement, others])
  expect(others(200, { ...page, totalItems: 4, items }, 'GET', '')).toContainEqual(['record.created', 3])
  expect(others(204, {}, 'DELETE', '/a')).toEqual([['wire.no-empty-success', undefined]])
})

it('reports the body of a 204', () => {
  expect(judge('deleteRecord', 204, {})).toEqual(['wire.no-empty-success'])
})

it('judges a rejection with 200 by what the profile says', () => {
  const rejection = { success: false, message: 'wrong password' }
  // The token and the record.
  expect(judge('authWithPassword', 200, rejection)).toEqual(['wire.schema', 'wire.schema'])
  expect(judge('authWithPassword', 200, { ...rejection, success: true })).toContain('auth.response-token')
  expect(judge('authWithPassword', 200, { ...rejection, record: { tokenKey: 'x' } })).toContain(
    'wire.no-secrets',
  )
  expect(judge('viewRecord', 200, rejection)).not.toContain('record.id')
  expect(judge('viewRecord', 200, { ...rejection, id: 'a' })).toContain('record.created')
})

describe('a status that is not described', () => {
  it.each<[string, OperationId, number, unknown, string[]]>([
    ['a page', 'listRecords', 206, page, []],
    ['a page without a total', 'listRecords', 206, { ...page, totalItems: undefined }, ['list.total-items']],
    ['a record', 'viewRecord', 203, record, []],
    ['a record of another day', 'viewRecord', 203, { ...record, created: 'yesterday' }, ['record.created']],
    ['a written record', 'createRecord', 201, record, []],
    ['another body than a record', 'createRecord', 201, { location: '/there' }, ['wire.schema']],
    ['a written secret', 'createRecord', 201, { ...account, tokenKey: 'x' }, ['wire.no-secrets']],
    ['a body about a deleted record', 'deleteRecord', 200, { deleted: true }, []],
    ['a session', 'authWithPassword', 201, session, []],
    [
      'a session of another day',
      'authWithPassword',
      201,
      { ...session, record: { ...account, created: 'yesterday' } },
      ['record.created'],
    ],
    ['a first factor', 'authWithPassword', 202, { mfaId: 'm', status: 'more to do' }, []],
    ['a first factor with an empty token', 'authWithPassword', 202, { mfaId: 'm', token: null }, []],
    ['an error in the form of others', 'viewRecord', 409, { data: {}, message: 'No.', status: 409 }, []],
    ['an error in a form of its own', 'viewRecord', 503, { data: {}, message: 'No.' }, ['error.envelope']],
  ])('does not excuse the body: %s', (_, operation, status, body, requirements) => {
    const found = judge(operation, status, body)
    expect(found[0]).toBe('wire.documented-status')
    expect([...new Set(found.slice(1))]).toEqual(requirements)
  })
})
