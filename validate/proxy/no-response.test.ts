import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { rejectRequest } from './no-response.ts'

it('breaks a response off that has begun, since a second one cannot follow', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.writeHead(200)
  response.flushHeaders()
  rejectRequest(response)
  expect([response.statusCode, response.destroyed]).toEqual([200, true])
})
