/** The hook of the official client. */

import PocketBase, { type ClientResponseError } from 'pocketbase'
import { Agent, fetch as undiciFetch } from 'undici'
import { describe, expect, it } from 'vitest'
import { createReference } from '../../reference/reference.ts'
import { runCases } from '../../test/validate/integrations/run-cases.ts'
import { afterSend } from '../validate.ts'

describe('the official client', () =>
  runCases({
    redirects: 'last',
    buffers: true,
    // The client gives `{}` for a body that it could not read, and for a missing one that no header announces.
    instead: {
      'cut before the announced length': 'list.page',
      'cut between two chunks': 'list.page',
      'empty, in chunks': 'list.page',
      'events, one by one': 'passes as 200 ',
    },
    open(options, { base }) {
      const dispatcher = new Agent()
      const client = new PocketBase(base).autoCancellation(false)
      client.afterSend = afterSend(options)
      const fetch = (input: unknown, init?: object) => undiciFetch(input as string, { ...init, dispatcher })
      return {
        async call({ url, method, signal }) {
          const { pathname, search } = new URL(url)
          let status = 200
          const sent = client.send<unknown>(pathname + search, {
            method,
            signal,
            fetch: async (input: unknown, init?: object) => {
              const response = await fetch(input, init)
              status = response.status
              return response as unknown as Response
            },
          })
          const data = await sent.catch((error: ClientResponseError) => {
            if (status < 400 || error.originalError?.name === 'ConformanceError') throw error
            return error.response
          })
          return { status, body: [Buffer.from(JSON.stringify(data) === '{}' ? '' : JSON.stringify(data))] }
        },
        close: () => dispatcher.close(),
      }
    },
  }))

describe('a request under another prefix', () => {
  const url = 'http://127.0.0.1:8090/api/collections/posts/records'
  const response = (at = url) => Object.defineProperty(Response.json({}), 'url', { value: at })

  it.each(['throw', 'report'] as const)(
    'is an error with the mode "%s": nothing would be validated',
    (mode) => {
      expect(() => afterSend({ mode })(response(), {})).toThrow(
        new TypeError(
          `The request to ${url} is under another prefix than /api/v1: nothing was validated. Pass the prefix of the server as the option "prefix".`,
        ),
      )
    },
  )

  it('is not meant where the request is about something else', () => {
    const settings = 'http://127.0.0.1:8090/api/settings'
    expect(afterSend()(response(settings), { a: 1 })).toEqual({ a: 1 })
    const tables = 'http://127.0.0.1:8090/api/collections/posts'
    expect(afterSend({ prefix: '/api' })(response(tables), { a: 1 })).toEqual({ a: 1 })
  })
})

describe('a response without a URL', () => {
  const options = { prefix: '/api' }

  it('of the reference is validated as the response to its request', async () => {
    const reference = createReference({
      prefix: '/api',
      tables: [{ name: 'notes', listRule: '', fields: [] }],
    })
    reference.fault({ match: 'listRecords', status: 200, body: { page: 1 } })
    const client = new PocketBase('http://reference.invalid')
    client.beforeSend = (url, sent) => ({ url, options: { ...sent, fetch: reference.fetch } })
    client.afterSend = afterSend(options)
    const error: ClientResponseError = await client
      .collection('notes')
      .getList()
      .then(
        () => expect.unreachable('no error'),
        (error) => error,
      )
    expect(error.originalError.message).toContain('(listRecords) does not conform')
  })

  it('is an error: nothing would be validated', () => {
    expect(() => afterSend(options)(Response.json({}), {})).toThrow(
      /^The response has no URL, so nothing was/,
    )
  })
})
