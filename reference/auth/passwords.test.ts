import { describe, expect, it } from 'vitest'
import { call, signIn } from '../../test/support/reference-call.ts'
import { createClock, createEnvironment } from '../environment/environment.ts'
import { createReference } from '../reference.ts'
import { servicesOf } from '../services-of.ts'
import type { Table } from '../vocabulary.ts'
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

describe('the cost', () => {
  const costs = async (passwordCost?: number) => {
    const reference = createReference({
      tables: [8, 31, 0].map((cost) => ({
        name: `cost_${cost}`,
        type: 'auth',
        createRule: '',
        fields: [{ name: 'password', type: 'password', cost }],
      })),
      records: { cost_8: [{ email: 'seed@example.com', password: 'secret123' }] },
      ...(passwordCost !== undefined && { passwordCost }),
    })
    const created = { email: 'new@example.com', password: 'secret123', passwordConfirm: 'secret123' }
    const found: unknown[] = []
    for (const table of ['cost_8', 'cost_31', 'cost_0']) {
      await call(reference, `POST /collections/${table}/records`, created)
      await signIn(reference, table, created.email, created.password)
      const { current } = servicesOf(reference).store
      for (const { values } of current.scan(current.table(table) as Table))
        found.push(String(values.password).split('$')[1])
    }
    await signIn(reference, 'cost_8', 'seed@example.com', 'secret123')
    return found
  }

  it('is what the field says, within reason', async () => {
    expect(await costs()).toEqual(['8', '8', '14', '10'])
  })

  it('is the same for all if the reference has the option', async () => {
    expect(await costs(3)).toEqual(['3', '3', '3', '3'])
  })
})
