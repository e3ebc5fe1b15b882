import { expect, it } from 'vitest'
import {
  methodsIn,
  type ReportedMethod,
  reportedUsername,
  reportsEmailsOnly,
  reportsNoRefresh,
  unknownEntries,
} from './reported-methods.ts'

const forms: [string, (name: string) => unknown][] = [
  ['a list of names', (name) => ({ methods: [name] })],
  ['an entry for each that is enabled', (name) => ({ [name]: { length: 8 } })],
  ['an entry that says whether it is enabled', (name) => ({ methods: [{ name, enabled: true }] })],
]
const methods: ReportedMethod[] = ['password', 'otp', 'oauth2', 'mfa']

it.each(methods.flatMap((method) => forms.map(([form, bodyOf]) => [method, form, bodyOf] as const)))(
  '%s is found under a name of the target: %s',
  (method, _form, bodyOf) => {
    expect(methodsIn(bodyOf('Parole'), {})).toEqual({})
    expect(methodsIn(bodyOf('Parole'), { [`methods.${method}`]: 'parole' })).toEqual({ [method]: true })
  },
)

it('a name of the target comes before the words of others', () => {
  expect(methodsIn({ passwordless: {} }, { 'methods.password': 'passwordless' })).toEqual({ password: true })
})

it.each<[unknown, boolean]>([
  [{ password: { enabled: true }, refresh: { enabled: false } }, true],
  [{ methods: [{ name: 'refresh', enabled: false }] }, true],
  [{ refreshEnabled: false }, true],
  [{ refresh: { enabled: true } }, false],
  [{ methods: ['password', 'refresh'] }, false],
  [{ methods: ['password'] }, false],
  [{ password: { enabled: false } }, false],
])('%j says of refreshes that they are off: %s', (body, isOff) => {
  expect(reportsNoRefresh(body)).toBe(isOff)
})

it.each<[unknown, boolean]>([
  [{ password: { enabled: true, identityFields: ['email'] } }, true],
  [{ password: { identities: ['e-mail'] } }, true],
  [{ methods: [{ name: 'password', identity: 'email' }] }, true],
  [{ password: { identityFields: ['email', 'username'] } }, false],
  [{ password: { identityFields: [] } }, false],
  [{ password: { identityFields: [{ name: 'email' }] } }, false],
  [{ password: { identity: 'an email address or a username' } }, false],
  [{ password: { enabled: true }, email: 'email' }, false],
  [['password'], false],
])('%j says that emails are the only identity: %s', (body, isOnly) => {
  expect(reportsEmailsOnly(body)).toBe(isOnly)
})

it.each<[unknown, string | undefined]>([
  [{ password: { enabled: true, identityFields: ['username'] } }, 'username'],
  [{ methods: [{ name: 'password', identity: 'login' }] }, 'login'],
  [{ password: { identityFields: ['email', 'username'] } }, undefined],
  [{ password: { identityFields: [{ name: 'username' }] } }, undefined],
  [{ password: { identity: 'an email address or a username' } }, undefined],
  [{ password: true }, undefined],
])('%j says which field signs in instead of the address: %s', (body, field) => {
  expect(reportedUsername(body)).toBe(field)
})

const otherNames: Readonly<Record<ReportedMethod, readonly string[]>> = {
  password: [
    'emailAndPassword',
    'usernamePassword',
    'local-password',
    'passwordSignIn',
    'credential',
    'local',
  ],
  otp: [
    'emailOTP',
    'email_otp',
    'login_by_code_enabled',
    'one-time password (two steps)',
    'passwordless',
    'magicLink',
  ],
  oauth2: ['OAuth 2.0', 'authWithOAuth2', 'socialProviders', 'social_login', 'socialaccount', 'oidc'],
  mfa: ['twoFactor', 'multi-factor authentication', '2fa'],
}
it.each(methods.flatMap((method) => otherNames[method].map((name) => [name, method] as const)))(
  '%s is %s',
  (name, method) => {
    expect(methodsIn({ [name]: { enabled: true } }, {})).toEqual({ [method]: true })
  },
)

it.each([
  'passwordReset',
  'passwordMinLength',
  'resetPassword',
  'emailVerification',
  'username',
  'passkey',
  'sso',
  '',
])('"%s" is none of them', (name) => {
  expect(methodsIn({ [name]: { enabled: true } }, {})).toEqual({})
})

it.each<[unknown, string[]]>([
  [{ password: {}, otp: { enabled: false } }, []],
  [{ parole: { enabled: true }, otp: {}, refresh: true, note: 'text', length: 8 }, ['parole']],
  [{ paroleEnabled: true, otpEnabled: true }, ['parole']],
  [{ data: { methods: ['parole', 'otp'] } }, ['parole']],
  [[{ type: 'parole' }, { type: 'otp', enabled: true }], ['parole']],
  [{ parole: {}, rules: [] }, []],
  [{ password: false, passkey: true }, []],
  [{ otp: true, error: null, passkey: { enabled: false } }, []],
  [[{ length: 8 }, { type: 'otp' }], []],
])('%j has entries of unknown names next to methods: %j', (body, unknown) => {
  expect(unknownEntries(body, {}, 'password')).toEqual(unknown)
})
