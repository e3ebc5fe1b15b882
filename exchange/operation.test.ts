import { describe, expect, it } from 'vitest'
import { matchOperation } from './operation.ts'

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
  ])('%s %s matches no operation', (method, path) => {
    expect(matchOperation(method, path)).toBeUndefined()
  })

  it('accepts the prefix of a target', () => {
    expect(matchOperation('POST', '/api/batch', '/api')?.operation.id).toBe('batch')
    expect(matchOperation('POST', '/batch', '')?.operation.id).toBe('batch')
    expect(matchOperation('POST', '/api/v1/batch', '/api')).toBeUndefined()
  })
})
