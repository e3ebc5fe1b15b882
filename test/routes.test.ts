import { describe, expect, it } from 'vitest'
import { createApp } from '../reference/app.ts'
import { createReference } from '../reference/reference.ts'
import { servicesOf } from '../reference/services-of.ts'
import { operations } from '../spec/openapi.ts'

describe('routes of the reference', () => {
  it('are the operations of the description, and no others', () => {
    const services = servicesOf(createReference())
    const routes = createApp(services).routes.map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const described = operations().map(({ method, path }) => `${method} ${path}`)
    expect(described).toHaveLength(19)
    expect(routes.sort()).toEqual(described.sort())
  })
})
