import { expect, it } from 'vitest'
import { ApiError, inResponse } from '../errors.ts'
import type { Json } from '../vocabulary.ts'
import { errorResponse, respond } from './respond.ts'

/** The error of JSON.stringify for a text of more than half a gigabyte. */
const endless = {
  get value(): Json {
    throw new RangeError('Invalid string length')
  },
}

it('rejects a response that exceeds the maximum string length', () => {
  expect(() => respond({ status: 200, body: endless })).toThrow(
    new ApiError(400, inResponse, 'The response would be too long to send.'),
  )
})

it('leaves out the message of an error if it is too long', async () => {
  const rejection = errorResponse(new ApiError(400, inResponse, 'No.', { field: endless }))
  expect(rejection.status).toBe(400)
  expect(await rejection.json()).toEqual({
    data: {},
    message: 'Something went wrong while processing your request.',
    status: 400,
  })
})
