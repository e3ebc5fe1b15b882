import { describe, expect, it } from 'vitest'
import { matchOperation, operation, operations, requestSchema, responseSchema } from './openapi.ts'

const base = '/api/v1/collections/posts'

describe('matchOperation', () => {
  it.each([
    ['GET', `${base}/records`, 'listRecords', { table: 'posts' }],
    ['GET', `${base}/records?page=2`, 'listRecords', { table: 'posts' }],
    ['POST', `${base}/records`, 'createRecord', { table: 'posts' }],
    ['GET', `${base}/records/abc`, 'viewRecord', { table: 'posts', id: 'abc' }],
    ['PATCH', `${base}/records/abc`, 'updateRecord', { table: 'posts', id: 'abc' }],
    ['DELETE', `${base}/records/abc`, 'deleteRecord', { table: 'posts', id: 'abc' }],
    ['POST', '/api/v1/batch', 'batch', {}],
    ['GET', `${base}/auth-methods`, 'listAuthMethods', { table: 'posts' }],
    ['POST', `${base}/impersonate/abc`, 'impersonate', { table: 'posts', id: 'abc' }],
    ['POST', `${base}/confirm-email-change`, 'confirmEmailChange', { table: 'posts' }],
    ['GET', '/api/v1/collections/a%20b/records/x%2Fy', 'viewRecord', { table: 'a b', id: 'x/y' }],
  ])('%s %s is %s', (method, path, id, params) => {
    const match = matchOperation(method, path)
    expect(match?.operation.id).toBe(id)
    expect(match?.params).toEqual(params)
  })

  it.each([
    ['PUT', `${base}/records`],
    ['get', `${base}/records`],
    ['GET', `${base}/records/`],
    ['GET', `${base}/records/abc/more`],
    ['GET', `/api${base.slice('/api/v1'.length)}/records`],
    ['GET', '/api/v1/collections//records'],
    ['GET', '/api/v1/collections/%zz/records'],
    ['GET', '/api/v1batch'],
    ['GET', '/api/v1/batch'],
    ['GET', '/'],
  ])('%s %s is none', (method, path) => {
    expect(matchOperation(method, path)).toBeUndefined()
  })

  it('takes the prefix of a target', () => {
    expect(matchOperation('POST', '/api/batch', '/api')?.operation.id).toBe('batch')
    expect(matchOperation('POST', '/batch', '')?.operation.id).toBe('batch')
    expect(matchOperation('POST', '/api/v1/batch', '/api')).toBeUndefined()
  })
})

describe('operation', () => {
  it('knows parameters, tokens, statuses and bodies', () => {
    const list = operation('listRecords')
    expect(list).toMatchObject({ method: 'GET', path: '/api/v1/collections/{table}/records', tag: 'records' })
    expect(list.parameters.map(({ name }) => name)).toEqual([
      'table',
      'page',
      'perPage',
      'skipTotal',
      'sort',
      'filter',
      'expand',
      'fields',
    ])
    expect([...list.responses.keys()]).toEqual([200, 400, 403, 404, 413, 429])
    expect(list.security).toContainEqual([])
    expect(operation('impersonate').security).toEqual([['superuser']])
    expect(operation('deleteRecord').responses.get(204)?.content).toEqual({})
    expect(Object.keys(operation('createRecord').requestBody?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
    ])
  })

  it('gives the same schema object for the same question', () => {
    const list = operation('listRecords')
    const view = operation('viewRecord')
    expect(responseSchema(list, 404)).toBe(responseSchema(view, 404))
    expect(responseSchema(list, 200)).toBe(responseSchema(list, 200))
    expect(responseSchema(list, 200, { picked: true })).not.toBe(responseSchema(list, 200))
    expect(responseSchema(list, 418)).toBeUndefined()
    expect(responseSchema(operation('deleteRecord'), 204)).toBeUndefined()
    expect(requestSchema(operation('authRefresh'))).toBeUndefined()
  })

  it('refuses an id that does not exist', () => {
    expect(() => operation('nope' as never)).toThrow(/no operation "nope"/)
  })

  it('has nineteen of them', () => {
    expect(operations()).toHaveLength(19)
  })
})
