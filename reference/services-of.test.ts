import { expect, it } from 'vitest'
import { createReference } from './reference.ts'
import { servicesOf } from './services-of.ts'

it('are those of the reference, and of each fork its own', () => {
  const reference = createReference({ prefix: '/api' })
  const fork = reference.fork()
  expect(servicesOf(reference).prefix).toBe('/api')
  expect(servicesOf(fork).store).not.toBe(servicesOf(reference).store)
})

it('are not a property of a reference that users could use', () => {
  const reference = createReference()
  expect(Object.keys(reference)).not.toEqual(expect.arrayContaining(['store']))
  expect(Object.keys(reference)).not.toEqual(expect.arrayContaining(['services']))
  expect(Object.keys(reference.snapshot())).toEqual([])
})

it('are not known of other objects', () => {
  expect(() => servicesOf({ ...createReference() })).toThrow('is not a reference')
})

it('do not show in a snapshot, which is the only thing that restore takes', () => {
  const reference = createReference()
  expect(() => reference.restore({} as never)).toThrow('is not a snapshot of a reference')
})
