import { describe, expect, test } from 'vitest'
import { AuthModel, newPerson, type Person } from './auth-model.ts'

function person(role: Person['role'] = 'members'): Person {
  const table = { role, name: `conf_${role}` }
  return newPerson({ table, record: { id: 'x' }, id: 'x', email: 'x@example.com', password: 'secret' }, role)
}

describe('the model of accounts', () => {
  test('a proof ends with a generation, with its record and with its time', () => {
    const model = new AuthModel()
    const [one, other, short] = [person(), person(), person('shortlived')]
    const proofs = [one, other, short].map((each) => model.proof(each))
    one.generation += 1
    expect(proofs.map((proof) => model.valid(proof))).toEqual([false, true, true])
    model.now += 11
    expect(proofs.map((proof) => model.valid(proof))).toEqual([false, true, false])
    other.deleted = true
    expect(proofs.map((proof) => model.valid(proof))).toEqual([false, false, false])
  })

  test('a first factor outlives a new address and ends with a new password', () => {
    const model = new AuthModel()
    const one = person('mfa')
    const factor = { ...model.proof(one), mfaId: 'm', passwords: one.passwords, used: false }
    one.generation += 1
    expect(model.counts(factor)).toBe(true)
    one.passwords += 1
    expect(model.counts(factor)).toBe(false)
  })

  test('a code is used once', () => {
    const model = new AuthModel()
    const code = { ...model.proof(person()), otpId: 'o', code: '123456', used: false }
    expect(model.usable(code)).toBe(true)
    code.used = true
    expect(model.usable(code)).toBe(false)
  })
})
