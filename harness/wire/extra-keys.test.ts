import { expect, it } from 'vitest'
import { targetOf } from '../target/target-file.ts'
import { extraKeys, hasExtraKeys } from './extra-keys.ts'
import { targetNames } from './target-names.ts'

const binding = { 'body.requestOtp': '{"channel":"email","email":"theirs"}', 'otp.email': 'address' }

it('extra keys are added only to the body of their operation, and replace nothing that the suite sends', () => {
  expect(targetNames('requestOtp', { email: 'a@example.com' }, binding)).toEqual({
    address: 'a@example.com',
    channel: 'email',
    email: 'theirs',
  })
  expect(targetNames('requestOtp', { channel: 'sms' }, binding)).toMatchObject({ channel: 'sms' })
  expect(targetNames('requestVerification', { email: 'a@example.com' }, binding)).toEqual({
    email: 'a@example.com',
  })
  expect(extraKeys('signUp', binding)).toEqual({})
})

it('an object without keys says that there is a body', () => {
  expect(hasExtraKeys('impersonate', { 'body.impersonate': '{}' })).toBe(true)
  expect(hasExtraKeys('impersonate', { 'body.impersonate': '' })).toBe(false)
})

it.each(['channel', '["channel"]', 'null', '{channel: email}'])(
  'are a JSON object: %s is rejected',
  (value) => {
    const file = { baseUrl: 'http://127.0.0.1:1', binding: { 'body.requestOtp': value } }
    expect(() => targetOf(file, 'target.yaml', {})).toThrow('binding.body.requestOtp: must be a JSON object')
  },
)
