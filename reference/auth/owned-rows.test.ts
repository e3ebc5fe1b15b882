/** Codes and pending sign-ins do not accumulate, for known and unknown addresses. */

import { beforeEach, expect, test } from 'vitest'
import { type AuthWorld, makeAuthWorld, password } from '../../test/support/auth-world.ts'
import { servicesOf } from '../services-of.ts'

let world: AuthWorld
beforeEach(async () => {
  world = await makeAuthWorld()
})

const count = (kind: '_otps' | '_mfas') => {
  const reader = servicesOf(world.reference).store.current
  const table = reader.table(kind)
  return table === undefined ? Number.NaN : reader.count(table)
}

const firstStep = async (identity: string): Promise<string> =>
  (await world.act('double', 'auth-with-password', { identity, password })).body.mfaId

test('a record has at most 100 pending sign-ins, even if the clock is frozen', async () => {
  await world.join('double', 'ann@example.com')
  world.reference.clock.freeze()
  const opened: string[] = []
  for (let turn = 0; turn < 130; turn += 1) opened.push(await firstStep('ann@example.com'))
  expect(count('_mfas')).toBe(100)
  const again = (mfaId: string | undefined) =>
    world.act('double', 'auth-with-password', { identity: 'ann@example.com', password, mfaId })
  expect((await again(opened[0])).body.message).toMatch(/Invalid or expired/)
  expect((await again(opened.at(-1))).body.message).toMatch(/different authentication/)
})

test('expired rows of records that are never used again are removed, by the clock of the reference', async () => {
  for (let person = 0; person < 30; person += 1) {
    await world.join('double', `${person}@example.com`)
    await firstStep(`${person}@example.com`)
    await world.act('double', 'request-otp', { email: `${person}@example.com` })
  }
  expect([count('_mfas'), count('_otps')]).toEqual([30, 30])
  world.reference.clock.advance(601_000)
  for (let turn = 0; turn < 4; turn += 1) await firstStep('0@example.com')
  expect(count('_mfas')).toBe(4)
  await world.act('double', 'request-otp', { email: '1@example.com' })
  expect(count('_otps')).toBeLessThan(30)
})

test('nothing that lives is removed for another record', async () => {
  await world.join('double', 'ann@example.com')
  await world.join('double', 'bob@example.com')
  const mfaId = await firstStep('ann@example.com')
  world.reference.clock.advance(500_000)
  for (let turn = 0; turn < 120; turn += 1) await firstStep('bob@example.com')
  const { body } = await world.act('double', 'request-otp', { email: 'ann@example.com' })
  const { code } = await world.reference.mail.waitFor({ to: 'ann@example.com', kind: 'otp', timeout: 10_000 })
  const second = { otpId: body.otpId, password: code, mfaId }
  expect((await world.act('double', 'auth-with-otp', second)).status).toBe(200)
})
