import { expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Target } from '../vocabulary/target.ts'
import { askedNames } from './asked-names.ts'

const unset: Pick<Target, 'binding' | 'named' | 'profile'> = { binding: {} }

function rejected(body: unknown, more: Partial<Exchange> = {}, status = 400): Exchange {
  const message = { headers: {}, bytes: 0 }
  return {
    number: 1,
    actor: 'guest',
    operation: 'confirmPasswordReset',
    request: { ...message, method: 'POST', url: '/', body: '{"token":"$PROOF","password":"$PASSWORD"}' },
    response: { ...message, status, body: JSON.stringify(body) },
    ms: 1,
    ...more,
  }
}

const lacksPassword = { detail: { new_password: 'This field is required.' } }

it('names the field that a rejection asks for, and the line that adds it', () => {
  expect(askedNames(unset, rejected(lacksPassword))).toEqual({
    words: 'asks for "new_password", which the request does not have',
    line: '"binding": { "passwordReset.password": "new_password" }',
  })
})

it('names the address that a request for a code calls otherwise', () => {
  const exchange = rejected({ login: ['This field is required.'] })
  exchange.operation = 'requestOtp'
  exchange.request.body = '{"email":"a@example.com"}'
  expect(askedNames(unset, exchange)?.line).toBe('"binding": { "otp.email": "login" }')
})

it('names a field that the binding has no key for', () => {
  expect(askedNames(unset, rejected({ uid: ['This field is required.'] }))).toEqual({
    words: 'asks for "uid", which the request does not have',
    line: '"binding": { "body.confirmPasswordReset": "<a JSON object with them>" }',
  })
})

it.each([
  { message: 'reason is required', field: 'reason' },
  { violations: [{ propertyPath: 'reason', message: 'This value should not be blank.' }] },
])('names a field that a request without a body lacks: %j', (body) => {
  const exchange = rejected(body)
  exchange.operation = 'impersonate'
  exchange.request = { headers: {}, bytes: 0, method: 'POST', url: '/', body: '' }
  expect(askedNames(unset, exchange)).toEqual({
    words: 'asks for "reason", which the request does not have',
    line: '"binding": { "body.impersonate": "<a JSON object with them>" }',
  })
})

it.each([
  { message: 'token is missing' },
  { error: 'Session is missing' },
  { errors: [{ location: 'headers', param: 'authorization', msg: 'is missing' }] },
])('takes no header for a key of the body: %j', (body) => {
  const exchange = rejected(body)
  exchange.operation = 'authRefresh'
  exchange.request = { headers: {}, bytes: 0, method: 'POST', url: '/', body: '' }
  expect(askedNames(unset, exchange)).toBeUndefined()
})

const confirm = 'passwordReset.passwordConfirm'
it.each<[string, Record<string, string>, object, string]>([
  [
    'has the name of sign-ups',
    { 'signUp.passwordConfirm': 'again' },
    { message: 'The password confirmation does not match.' },
    'which may be called "again"',
  ],
  [
    'has a usual name',
    {},
    { message: 'The password confirmation does not match.' },
    'which may be called "password_confirmation"',
  ],
  [
    'is not known',
    {},
    { detail: [{ loc: ['body', 'passwordConfirm'], msg: 'extra fields not permitted' }] },
    'which a reset may not take',
  ],
])('names the line for a second password that %s', (_, binding, body, how) => {
  const name = /"(\w+)"/.exec(how)?.[1] ?? ''
  const exchange = rejected(body)
  exchange.request.body = '{"token":"$PROOF","password":"$PASSWORD","passwordConfirm":"$PASSWORD"}'
  expect(askedNames({ binding }, exchange)).toEqual({
    words: `is about the second password, ${how}`,
    line: `"binding": { "${confirm}": "${name}" }`,
  })
  expect(askedNames({ binding, named: [confirm] }, exchange)).toBeUndefined()
})

it.each<[string, Pick<Target, 'binding' | 'named' | 'profile'>]>([
  ['as in the profile', { binding: {}, named: ['passwordReset.password'] }],
  ['by another name', { binding: { 'passwordReset.password': 'secret' } }],
])('advises no other name for a field that the target file names %s', (_, target) => {
  expect(askedNames(target, rejected(lacksPassword))?.line).toBe(
    '"binding": { "body.confirmPasswordReset": "<a JSON object with them>" }',
  )
})

it.each<[string, Pick<Target, 'binding' | 'named' | 'profile'>, Exchange]>([
  ['the target claims a profile', { binding: {}, profile: 'standard' }, rejected(lacksPassword)],
  ['the request has the field', unset, rejected({ errors: { token: 'is required' } })],
  ['the field is wrong, and not missing', unset, rejected({ errors: { realm: 'is invalid' } })],
  ['the status is about something else', unset, rejected(lacksPassword, {}, 403)],
  ['the document shows the request', unset, rejected(lacksPassword, { operation: 'authWithPassword' })],
  ['the response accepts it', unset, rejected(lacksPassword, {}, 200)],
])('names none if %s', (_, target, exchange) => {
  expect(askedNames(target, exchange)).toBeUndefined()
})
