import { expect, it } from 'vitest'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import { EmptyBodies } from './empty-bodies.ts'

/** Sends one request after the other; the first status of each is without a body. */
async function sent(operation: OperationId, ...statuses: [number, number][]) {
  const bodies = new EmptyBodies()
  const requests: string[] = []
  const seen: number[] = []
  for (const [bare, full] of statuses) {
    const send = async (withBody: boolean) => {
      requests.push(withBody ? '{}' : '')
      const status = withBody ? full : bare
      return { status, ok: status < 300 } as ApiResponse
    }
    const { status } = await (bodies.wants(operation) ? send(true) : bodies.try(operation, send))
    seen.push(status)
  }
  return { requests, seen }
}

it.each([400, 411, 415])(
  'a request without a body that gets %i is sent with {} from then on',
  async (status) => {
    expect(await sent('impersonate', [status, 200], [status, 200])).toEqual({
      requests: ['', '{}', '{}'],
      seen: [200, 200],
    })
  },
)

it('a rejection that is about the body alone is enough to see what is missing', async () => {
  expect(await sent('authRefresh', [415, 401])).toEqual({ requests: ['', '{}'], seen: [401] })
})

it('a 400 that remains says nothing', async () => {
  const ends = await sent('authRefresh', [400, 400], [400, 401], [400, 200])
  expect(ends).toEqual({ requests: ['', '{}', '', '{}', '', '{}'], seen: [400, 400, 200] })
})

it('where a request without a body is accepted, it remains without one', async () => {
  expect(await sent('authRefresh', [200, 200], [400, 200])).toEqual({ requests: ['', ''], seen: [200, 400] })
})

it('other operations have a body, or none at all', async () => {
  expect(await sent('viewRecord', [400, 200])).toEqual({ requests: [''], seen: [400] })
})
