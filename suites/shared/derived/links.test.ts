import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { expressed, linksOf } from './links.ts'

const document = {
  openapi: '3.1.1',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      post: {
        operationId: 'createRecord',
        responses: {
          '200': { $ref: '#/components/responses/Made' },
          '400': { description: 'Bad.' },
        },
      },
    },
  },
  components: {
    responses: {
      Made: {
        description: 'Made.',
        links: {
          view: { $ref: '#/components/links/View' },
          confirm: { operationId: 'confirmVerification', 'x-email': { token: 'token' } },
        },
      },
    },
    links: {
      View: {
        operationId: 'viewRecord',
        parameters: { table: '$request.path.table', id: '$response.body#/id' },
        requestBody: { seen: true },
        'x-token': '$response.body#/token',
      },
    },
  },
} as unknown as OpenAPIV3_1.Document

describe('links', () => {
  it('are read from responses, through references', () => {
    expect(linksOf(document)).toEqual([
      {
        from: 'createRecord',
        status: '200',
        name: 'view',
        to: 'viewRecord',
        parameters: { table: '$request.path.table', id: '$response.body#/id' },
        body: { seen: true },
        token: '$response.body#/token',
        email: {},
      },
      {
        from: 'createRecord',
        status: '200',
        name: 'confirm',
        to: 'confirmVerification',
        parameters: {},
        body: {},
        email: { token: 'token' },
      },
    ])
  })
})

describe('an expression', () => {
  const request = {
    path: { table: 'posts' },
    query: [['page', '2']] as const,
    headers: { authorization: 'me' },
    body: { items: [{ 'a/b': 1 }] },
  }
  const response = { headers: { location: '/posts/1' }, body: { id: 'r1', list: [{ id: 'r2' }] } }

  it.each([
    ['$request.path.table', 'posts'],
    ['$request.query.page', '2'],
    ['$request.header.Authorization', 'me'],
    ['$request.body#/items/0/a~1b', 1],
    ['$response.body#/list/0/id', 'r2'],
    ['$response.body', response.body],
    ['$response.header.Location', '/posts/1'],
    ['$response.body#/none/0', undefined],
    ['a constant', 'a constant'],
    [7, 7],
  ])('%s is %j', (expression, value) => {
    expect(expressed(expression, request, response)).toEqual(value)
  })
})
