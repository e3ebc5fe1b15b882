import { describe, expect, it } from 'vitest'
import { operations } from '../spec/openapi.ts'
import { createApp } from './app.ts'
import { createReference } from './reference.ts'
import { servicesOf } from './services-of.ts'

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
