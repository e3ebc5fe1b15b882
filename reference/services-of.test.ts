import { expect, it } from 'vitest'
import { createReference } from './reference.ts'
import { servicesOf } from './services-of.ts'

it('a reference and each fork have their own services', () => {
  const reference = createReference({ prefix: '/api' })
  const fork = reference.fork()
  expect(servicesOf(reference).prefix).toBe('/api')
  expect(servicesOf(fork).store).not.toBe(servicesOf(reference).store)
})

it('the services are not a property of a reference that users could use', () => {
  const reference = createReference()
  expect(Object.keys(reference)).not.toEqual(expect.arrayContaining(['store']))
  expect(Object.keys(reference)).not.toEqual(expect.arrayContaining(['services']))
  expect(Object.keys(reference.snapshot())).toEqual([])
})

it('other objects have no services', () => {
  expect(() => servicesOf({ ...createReference() })).toThrow('is not a reference')
})

it('a snapshot, the only thing that restore accepts, does not show the services', () => {
  const reference = createReference()
  expect(() => reference.restore({} as never)).toThrow('is not a snapshot of a reference')
})
