import { expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import type { Json } from '../vocabulary.ts'
import { errorResponse, respond } from './respond.ts'

/** What JSON.stringify does once a text would be longer than half a gigabyte. */
const endless = {
  get value(): Json {
    throw new RangeError('Invalid string length')
  },
}

it('refuses to send what no text can hold', () => {
  expect(() => respond({ status: 200, body: endless })).toThrow(
    new ApiError(400, 'The answer would be too long to be sent.'),
  )
})

it('refuses without its words where they are too long', async () => {
  const refusal = errorResponse(new ApiError(400, 'No.', { field: endless }))
  expect(refusal.status).toBe(400)
  expect(await refusal.json()).toEqual({
    data: {},
    message: 'Something went wrong while processing your request.',
    status: 400,
  })
})
