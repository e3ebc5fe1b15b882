import { describe, expect, it } from 'vitest'
import { operations } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { createValidator } from './validator.ts'

const validator = createValidator()
const record = {
  id: 'a',
  collectionId: 'b',
  collectionName: 'c',
  created: '2024-01-02 03:04:05.678Z',
  updated: '2024-01-02 03:04:05.678Z',
}
const page = { page: 1, perPage: 30, totalItems: 1, totalPages: 1, items: [record] }

function judge(
  body: unknown,
  more: { status?: number; contentType?: string; text?: string; picked?: boolean } = {},
) {
  const { status = 200, contentType = 'application/json', text = JSON.stringify(body), picked = false } = more
  return validator
    .response('listRecords', { status, contentType, text, body, picked })
    .map(({ requirement }) => requirement)
}

describe('the validator', () => {
  it('has nothing against what the description says', () => {
    expect(judge(page)).toEqual([])
    expect(judge(page, { contentType: 'Application/JSON; charset=utf-8' })).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['a missing key', { ...page, totalPages: undefined }, 'list.total-pages'],
    ['another type', { ...page, page: '1' }, 'list.page'],
    [
      'a fault deep inside',
      { ...page, items: [{ ...record, created: '2024-02-30 00:00:00.000Z' }] },
      'record.created',
    ],
    ['a key missing deep inside', { ...page, items: [{ ...record, id: undefined }] }, 'record.id'],
  ])('lays %s at the nearest requirement', (_name, body, requirement) => {
    expect(judge(JSON.parse(JSON.stringify(body)))).toEqual([requirement])
  })

  it('tells status, media type and body apart', () => {
    expect(judge({ data: {}, message: 'No.', status: 418 }, { status: 418 })).toEqual([
      'wire.documented-status',
    ])
    expect(judge(page, { contentType: 'text/plain' })).toEqual(['wire.media-type'])
    const received = { status: 204, contentType: '', text: '{}', body: {}, picked: false }
    expect(validator.response('deleteRecord', received).map(({ requirement }) => requirement)).toEqual([
      'wire.no-empty-success',
    ])
    expect(validator.response('deleteRecord', { ...received, text: '', body: undefined })).toEqual([])
  })

  const account = { ...record, email: 'a@example.com', emailVisibility: true, verified: true }
  const session = { token: 't', record: account }
  it.each<[string, OperationId, number, unknown, string[]]>([
    ['a page', 'listRecords', 206, page, []],
    ['a page without a total', 'listRecords', 206, { ...page, totalItems: undefined }, ['list.total-items']],
    ['a record', 'viewRecord', 203, record, []],
    ['a record from another day', 'viewRecord', 203, { ...record, created: 'yesterday' }, ['record.created']],
    ['a written record', 'createRecord', 201, record, []],
    [
      'something else in place of it',
      'createRecord',
      201,
      { location: '/there' },
      Array(5).fill('wire.schema'),
    ],
    ['a written secret', 'createRecord', 201, { ...account, tokenKey: 'x' }, ['wire.no-secrets']],
    ['anything about a deleted record', 'deleteRecord', 200, { deleted: true }, []],
    ['a session', 'authWithPassword', 201, session, []],
    [
      'a session of another day',
      'authWithPassword',
      201,
      { ...session, record: { ...account, created: 'yesterday' } },
      ['record.created'],
    ],
    ['a first factor', 'authWithPassword', 202, { mfaId: 'm', status: 'more to do' }, []],
    ['a first factor that says there is no token', 'authWithPassword', 202, { mfaId: 'm', token: null }, []],
    ['an error in the form of others', 'viewRecord', 409, { data: {}, message: 'No.', status: 409 }, []],
    ['an error in a form of its own', 'viewRecord', 503, { data: {}, message: 'No.' }, ['error.envelope']],
  ])('asks of %s what is described, whatever its status', (_, operation, status, value, requirements) => {
    const body = JSON.parse(JSON.stringify(value))
    const response = {
      status,
      contentType: 'application/json',
      text: JSON.stringify(body),
      body,
      picked: false,
    }
    expect(validator.response(operation, response).map(({ requirement }) => requirement)).toEqual([
      'wire.documented-status',
      ...requirements,
    ])
  })

  it('requires no key of a record whose keys were picked', () => {
    expect(judge({ ...page, items: [{ id: 'a' }] }, { picked: true })).toEqual([])
    expect(judge({ ...page, items: [{ id: 'a' }] })).not.toEqual([])
  })

  it('finds a mistake in the suite’s own request', () => {
    expect(validator.requestMistake('batch', { requests: 1 })).toMatch(/requests/)
    expect(validator.requestMistake('batch', { requests: [] })).toBeUndefined()
  })

  it.each<[string, Record<string, unknown>, RegExp | undefined]>([
    ['a described query', { page: 2, perPage: '5', sort: 'a', skipTotal: true }, undefined],
    ['a parameter left out', { page: undefined }, undefined],
    ['a page that is no number', { page: 'x' }, /page.*type/],
    ['a value that is none of those described', { skipTotal: 'yes' }, /skipTotal.*type/],
    ['a parameter that is not described', { Page: 1 }, /Page.*not in the API description/],
    ['a name that every object has', { toString: 1 }, /toString.*not in the API description/],
  ])('knows of its own parameters: %s', (_, query, mistake) => {
    const found = validator.queryMistake('listRecords', query)
    if (mistake === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(mistake)
  })

  it('finds a mistake in the suite’s own form', () => {
    const form = new FormData()
    form.append('files', new Blob(['a']))
    form.append('files', new Blob(['b']))
    expect(validator.formMistake('createRecord', form)).toBeUndefined()
    expect(validator.formMistake('authRefresh', form)).toMatch(/does not accept a form/)
    expect(validator.formMistake('authWithPassword', form)).toMatch(/identity/)
  })

  it('knows a schema for whatever the suite sends', () => {
    for (const { id, parameters, requestBody } of operations()) {
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => [name, '1'])
      expect(() => validator.queryMistake(id, Object.fromEntries(query))).not.toThrow()
      if (requestBody !== undefined) expect(validator.requestMistake(id, 'no object'), id).toBeDefined()
      expect(() => validator.formMistake(id, new FormData())).not.toThrow()
    }
  })
})
