import { expect, it } from 'vitest'
import { fillBlank } from './blanks.ts'
import { fillRequest } from './fill-request.ts'

it('makes a path that a client can send of one that was cut inside a blank', () => {
  const path = `/api/v1/collections/notes/records/${fillBlank('created')}`.slice(0, -1)
  expect(fillRequest({ operation: 'viewRecord', method: 'GET', path, headers: [] }, {}).path).toBe(
    '/api/v1/collections/notes/records/%EE%80%80created',
  )
})
