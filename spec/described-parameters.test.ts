import { describe, expect, it } from 'vitest'
import { describedActors, describedParameters } from './described-parameters.ts'
import { type OperationSpec, operation, operations } from './openapi.ts'

describe('describedParameters', () => {
  it('names query parameters, headers, media types and keys of the body', () => {
    expect(describedParameters(operation('listRecords'))).toEqual([
      'query.page',
      'query.perPage',
      'query.skipTotal',
      'query.sort',
      'query.filter',
      'query.expand',
      'query.fields',
      'header.authorization',
    ])
    const signIn = describedParameters(operation('authWithPassword'))
    expect(signIn).toEqual(expect.arrayContaining(['query.mfaId', 'body.identity', 'body.mfaId']))
    expect(signIn).toContain('content.application/json')
    expect(signIn).not.toContain('body.*')
  })

  it('reads lists, and names other keys only if the schema allows them', () => {
    const batch = describedParameters(operation('batch'))
    expect(batch).toEqual(expect.arrayContaining(['body.requests', 'body.requests[].method']))
    expect(describedParameters(operation('createRecord'))).toContain('body.*')
  })

  it('reads parts, references, headers and tokens of any kind, and ends at a recursive schema', () => {
    const loop: Record<string, unknown> = { type: 'object', properties: {} }
    loop.properties = { again: loop }
    const made: OperationSpec = {
      ...operation('requestOtp'),
      parameters: [
        {
          name: 'X-Trace',
          in: 'header' as never,
          required: false,
          basis: 'profile',
          description: '',
          schema: {},
        },
        { name: 'id', in: 'path', required: true, basis: 'stated', description: '', schema: {} },
      ],
      requestBody: {
        required: true,
        content: {
          'text/x': {
            allOf: [{ $ref: '#/components/schemas/EmailOfRecord' }, { properties: { loop } }],
            anyOf: [{ patternProperties: { '^x': {} } }],
          },
        },
      },
      security: [['superuser'], ['nowhere']],
    }
    expect(describedParameters(made)).toEqual([
      'header.x-trace',
      'header.authorization',
      'content.text/x',
      'body.email',
      'body.loop',
      'body.loop.again',
      'body.*',
    ])
  })

  it('names each once', () => {
    for (const each of operations()) {
      const names = describedParameters(each)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

it('describedActors lists who may send a request', () => {
  expect(describedActors(operation('listRecords'))).toEqual(['guest', 'user', 'superuser', 'apiKey'])
  expect(describedActors(operation('impersonate'))).toEqual(['superuser'])
  expect(describedActors({ ...operation('impersonate'), security: [['robot']] })).toEqual(['robot'])
})
