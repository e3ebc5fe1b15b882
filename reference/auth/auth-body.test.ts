import { describe, expect, it } from 'vitest'
import { Work } from '../limits/work.ts'
import { createReference } from '../reference.ts'
import type { RequestContext } from '../services.ts'
import { servicesOf } from '../services-of.ts'
import { readAuthBody } from './auth-body.ts'

const services = servicesOf(createReference())

function read(form: Record<string, string>) {
  const request = new Request('http://reference.invalid/', {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return readAuthBody({ services, work: new Work(services.limits) } as RequestContext, request)
}

describe('an object in a form', () => {
  it('is read from its JSON text', async () => {
    const body = await read({ data: '{"a":{"b":1}}' })
    expect(body.object('data')).toEqual({ a: { b: 1 } })
  })

  it.each([`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, '{"a":1e999}', '{"a":', '[]', 'null'])(
    'is rejected if a body could not contain it: %#',
    async (data) => {
      const body = await read({ data })
      expect(() => body.object('data')).toThrow('An error occurred while loading the submitted data.')
    },
  )
})
