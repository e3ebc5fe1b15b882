import { describe, expect, it } from 'vitest'
import { blankBody, blankHeaders, blankUrl } from './blank.ts'
import { isSecretKey, showsSecret } from './secret-key.ts'
import { mayAdmit, mayNameSecrets, secretName, soundsSecret } from './secret-names.ts'

const kinds = {
  $PASSWORD: [
    ...['password', 'passwordConfirm', 'password_confirmation', 'oldPassword', 'passwordHash'],
    ...['passwd', 'db-pwd', 'passphrase'],
  ],
  $TOKEN: ['token', 'access_token', 'X-Auth-Token', 'jwt', 'Authorization', 'Proxy-Authorization'],
  $SECRET: [
    ...['tokenKey', 'secret', 'client_secret', 'secretKey', 'private_key', 'codeVerifier'],
    ...['Cookie', 'Set-Cookie', 'sessionId'],
  ],
  $KEY: ['apiKey', 'X-API-Key', 'access_key'],
}
const secrets = Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind] as const))

describe.each(secrets)('%s', (name, kind) => {
  it(`is the name of a ${kind}`, () => {
    expect([secretName(name), mayAdmit(name)]).toEqual([kind, true])
    expect(mayNameSecrets(`{"${name}":"x"}`)).toBe(true)
  })

  it('has its value replaced in an archive', () => {
    const body = JSON.stringify({ [name]: 'value-1' })
    for (const side of ['request', 'response'] as const)
      expect(blankBody(body, side)).toBe(JSON.stringify({ [name]: kind }))
    expect(blankUrl(`/x?page=7&${name}=value-1`)).toBe(`/x?page=7&${name}=${encodeURIComponent(kind)}`)
    expect(blankHeaders(new Headers({ [name]: 'value-1' }))).toEqual([
      { name: name.toLowerCase(), value: kind },
    ])
  })
})

it.each(['code', 'otpId', 'mfaId', 'key', '"code"', 'code:excerpt', 'password:length'])(
  '%s may be a credential in an archive',
  (name) => {
    expect(mayAdmit(name)).toBe(true)
  },
)

it.each(['title', 'id', 'identity', 'status', 'encoder', 'keyboard', 'tokens', 'decode', 'monkey'])(
  '%s is not the name of a secret',
  (name) => {
    expect([secretName(name), mayAdmit(name), isSecretKey(name), soundsSecret(name)]).toEqual([
      undefined,
      false,
      false,
      name === 'tokens',
    ])
  },
)

describe('a body of an archive', () => {
  it('keeps the codes of errors, and no other code', () => {
    const failed = '{"data":{"password":{"code":"validation_required","message":"Cannot be blank."}}}'
    expect(blankBody(failed, 'response')).toBe(failed)
    expect(blankBody('{"code":"open_sesame","message":"a"}', 'response')).not.toContain('open_sesame')
    expect(blankBody('{"code":"validation_required"}', 'response')).toContain('$SECRET')
    expect(blankBody('{"code":"validation_required","message":"a"}', 'request')).toContain('$SECRET')
  })

  it('keeps what only describes secrets in a response', () => {
    const described = '{"password":{"enabled":true},"otp":{"enabled":false},"token":""}'
    expect(blankBody(described, 'response')).toBe(described)
    expect(blankBody('{"password":{"enabled":true}}', 'request')).toBe('{"password":"$PASSWORD"}')
    expect(blankBody('{"token":["a"],"code":5}', 'response')).toBe('{"token":"$TOKEN","code":"$SECRET"}')
  })

  it('shows no secret of an address in it', () => {
    expect(blankBody('{"url":"/x?a=1&token=t?u&b=2"}', 'request')).toBe('{"url":"/x?a=1&token=%24TOKEN&b=2"}')
  })

  it('is left out where secrets cannot be found in it', () => {
    expect(blankBody('token=a', 'request')).toBe('[redacted]')
    expect([blankBody('', 'request'), blankBody(undefined, 'response')]).toEqual(['', undefined])
  })
})

it.each([
  ['{"tokenKey": "a"', true],
  ['{"passwordHash" :"a"', true],
  ['{"title":"$2a$10$abc', true],
  ['{"title":"$2b$10$abc', true],
  ['{"title":"$2y$10$abc', true],
  ['{"title":"$scrypt$n', true],
  ['{"title":"$argon2id$v', true],
  ['{"title":"$pbkdf2-sha256$29000$', true],
  ['{"title":"$6$rounds=5000$abcdefghijklmnop', true],
  ['{"encrypted_password":"a"', true],
  ['{"title":"pbkdf2_sha256$260000$salt$', true],
  ['{"title":"scrypt:32768:8:1$salt$', true],
  ['{"title":"pbkdf2:sha256:600000$salt$', true],
  ['{"title":"{SSHA}Yt0Qb3mJ5vK8s2Zc7Rf1Wd6Hn4Xg9Pp0"', true],
  ['{"title":"{SSHA}"', false],
  ['{"title":"scrypt:32768:8:1"', false],
  ['{"title":"pbkdf2_sha256"', false],
  ['{"title":"$5$ to $6$"', false],
  ['{"title":"$5 and $6"', false],
  ['{"title":"costs $2a$10$abc', false],
  ['{"title":"tokenKey"', false],
])('%s shows a secret: %s', (text, shown) => {
  expect(showsSecret(text)).toBe(shown)
})
