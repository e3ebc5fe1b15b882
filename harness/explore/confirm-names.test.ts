import { expect, it } from 'vitest'
import { complainsOfConfirmation, confirmLine, confirmNames } from './confirm-names.ts'

const rejection = (body: unknown) => ({ body, text: typeof body === 'string' ? body : JSON.stringify(body) })

it.each<[unknown, string]>([
  [{ errors: { password: ['The password confirmation does not match.'] } }, 'password_confirmation'],
  [{ errors: ["Password confirmation can't be blank"] }, 'password_confirmation'],
  [{ errors: ["Password confirmation doesn't match Password"] }, 'password_confirmation'],
  [{ detail: [{ loc: ['body', 'passwordConfirm'], msg: 'extra fields not permitted' }] }, ''],
  [{ error: 'json: unknown field "passwordConfirm"' }, ''],
  [{ statusCode: 400, message: ['property passwordConfirm should not exist'], error: 'Bad Request' }, ''],
  [{ error: "found unpermitted parameter: 'passwordConfirm'" }, ''],
  [{ passwordConfirm: 'unknown', confirmPassword: 'confirmPassword is required' }, 'confirmPassword'],
  [{ error: 'Unknown field passwordConfirm; password2 is required' }, 'password2'],
])('reads from %j that a second password is called "%s"', (body, name) => {
  expect(confirmNames(rejection(body), 'passwordConfirm')[0]).toBe(name)
  expect(complainsOfConfirmation(rejection(body), 'passwordConfirm')).toBe(true)
})

it('tries no names where a rejection is about something else', () => {
  const other = rejection({ error: 'The password is too short.' })
  expect(confirmNames(other, 'passwordConfirm')).toEqual([''])
  expect(complainsOfConfirmation(other, 'passwordConfirm')).toBe(false)
})

it('says which line a sign-up needs', () => {
  const line = (request: object, profile?: string) =>
    confirmLine({ binding: {}, ...(profile !== undefined && { profile }) }, {
      ...rejection({ error: 'unknown field "passwordConfirm"' }),
      status: 422,
      ok: false,
      exchange: { request: { method: 'POST', url: '', headers: {}, body: JSON.stringify(request) } },
    } as unknown as Parameters<typeof confirmLine>[1])
  expect(line({ password: 'x' })).toBe('"binding": { "signUp.passwordConfirm": "" }')
  expect(line({ title: 'x' })).toBeUndefined()
  expect(line({ password: 'x' }, 'standard')).toBeUndefined()
})
