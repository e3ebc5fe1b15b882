import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import PocketBase, { BaseAuthStore } from 'pocketbase'
import { createReference } from 'record-auth-conformance/reference'

const reference = createReference({
  prefix: '/api',
  tables: [{ name: 'users', type: 'auth', viewRule: 'id = @request.auth.id', otp: { enabled: true } }],
  records: { users: [{ email: 'ann@example.com', password: 'correct horse' }] },
})
const { url } = await reference.listen()
after(() => reference.close())
beforeEach(() => reference.reset())

test('signs in with the code of the mail', async () => {
  const client = new PocketBase(url, new BaseAuthStore())
  const { otpId } = await client.collection('users').requestOTP('ann@example.com')
  const { code } = await reference.mail.waitFor({ to: 'ann@example.com', kind: 'otp' })
  const { record } = await client.collection('users').authWithOTP(otpId, code)
  assert.equal(record.email, 'ann@example.com')
})

test('a code is good for three minutes', async () => {
  const client = new PocketBase(url, new BaseAuthStore())
  const { otpId } = await client.collection('users').requestOTP('ann@example.com')
  const { code } = await reference.mail.waitFor({ to: 'ann@example.com' })
  reference.clock.advance(181_000)
  await assert.rejects(client.collection('users').authWithOTP(otpId, code), { status: 400 })
})
