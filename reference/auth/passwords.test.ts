import { expect, it } from 'vitest'
import { createClock, createEnvironment } from '../environment.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

it.each([1, 2, 4, 10])('hashes and verifies at cost %i', (passwordCost) => {
  const environment = createEnvironment({ clock: createClock(), passwordCost })
  const stored = hashPassword(environment, 'correct horse')
  expect(stored).not.toContain('correct horse')
  expect(verifyPassword(environment, 'correct horse', stored)).toBe(true)
  expect(verifyPassword(environment, 'correct hors', stored)).toBe(false)
  expect(verifyPassword(environment, 'correct horse', undefined)).toBe(false)
})

it.each(['secret12\0', 'Secret12', ' secret12', 'secret12 ', 'secret1'])(
  'does not take %j for another password',
  (other) => {
    const environment = createEnvironment({ clock: createClock(), passwordCost: 1 })
    expect(verifyPassword(environment, other, hashPassword(environment, 'secret12'))).toBe(false)
    expect(verifyPassword(environment, 'secret12', hashPassword(environment, other))).toBe(false)
  },
)
