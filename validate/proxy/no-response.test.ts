import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { described, rejectRequest } from './no-response.ts'

it('breaks a response off that has begun, since a second one cannot follow', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.writeHead(200)
  response.flushHeaders()
  rejectRequest(response)
  expect([response.statusCode, response.destroyed]).toEqual([200, true])
})

it('responds with an error of the interface, in JSON', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const [head, end] = [vi.spyOn(response, 'writeHead'), vi.spyOn(response, 'end')]
  rejectRequest(response)
  expect(head.mock.calls).toEqual([[502, 'Bad Gateway', { 'content-type': 'application/json' }]])
  const written: unknown = JSON.parse(String(end.mock.calls[0]?.[0]))
  expect(written).toEqual({ status: 502, message: expect.stringContaining('upstream'), data: {} })
})

it('describes a request by its error, without the query', () => {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/a?token=x' })
  const error = new Error('other side closed')
  expect(described(request, 'no response', error)).toBe('GET /a: no response (other side closed)')
  expect(described(request, 'no response', Object.assign(error, { code: 'ECONNRESET' }))).toBe(
    'GET /a: no response (ECONNRESET)',
  )
})
