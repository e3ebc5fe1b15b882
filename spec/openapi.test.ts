import { describe, expect, it } from 'vitest'
import { operation, operations, requestSchema, responseSchema } from './openapi.ts'

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
    expect([...list.ranges.keys()]).toEqual(['2XX', '5XX', 'default'])
    expect(list.security).toContainEqual([])
    expect(operation('impersonate').security).toEqual([['superuser']])
    expect(operation('deleteRecord').responses.get(204)?.content).toEqual({})
    expect(Object.keys(operation('createRecord').requestBody?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
    ])
  })

  it('returns the same schema object for the same arguments', () => {
    const list = operation('listRecords')
    const view = operation('viewRecord')
    expect(responseSchema(list, 404)).toBe(responseSchema(view, 404))
    expect(responseSchema(list, 200)).toBe(responseSchema(list, 200))
    expect(responseSchema(list, 200, { picked: true })).not.toBe(responseSchema(list, 200))
    expect(responseSchema(list, 418)).toBeUndefined()
    expect(responseSchema(list, 'default')).toBe(responseSchema(view, 'default'))
    expect(responseSchema(list, '2XX', { picked: true })).not.toBe(responseSchema(list, '2XX'))
    expect(responseSchema(list, '5XX', { picked: true })).toBe(responseSchema(list, '5XX'))
    expect(responseSchema(operation('deleteRecord'), 204)).toBeUndefined()
    expect(requestSchema(operation('authRefresh'))).toBeUndefined()
  })

  it('rejects an id that does not exist', () => {
    expect(() => operation('nope' as never)).toThrow(/no operation "nope"/)
  })

  it('has nineteen of them', () => {
    expect(operations()).toHaveLength(19)
  })
})
