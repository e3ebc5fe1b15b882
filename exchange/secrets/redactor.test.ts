import { describe, expect, it, vi } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { fc } from '../../test/support/seeded.ts'
import { Redactor } from './redactor.ts'

/** Long enough that no other string contains it at random; with every character that JSON or URLs escape. */
const secret = fc
  .string({ unit: 'binary', minLength: 8, maxLength: 40 })
  .filter((text) => !/\$[A-Z]/.test(text))
const keys = [
  'password',
  'passwordConfirm',
  'oldPassword',
  'token',
  'tokenKey',
  'clientSecret',
  'codeVerifier',
  'apiKey',
]

function holds(text: string, value: string): boolean {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].some((form) =>
    text.includes(form),
  )
}

describe('redaction', () => {
  it('keeps what reports always show, also where a request sends it as a token', () => {
    const redactor = new Redactor({ shown: ['http://127.0.0.1:8303'] })
    redactor.headers({ authorization: '127.0.0.1:8303' }, 'user')
    redactor.headers({ authorization: 'a-session-token' }, 'user')
    expect(redactor.message('GET http://127.0.0.1:8303/a with a-session-token')).toBe(
      'GET http://127.0.0.1:8303/a with $TOKEN_USER',
    )
  })

  it('removes every secret of the configuration', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const redactor = new Redactor()
        redactor.give(value, '$TOKEN')
        const text = `${before}${value}${after}`
        expect(redactor.text(text)).not.toContain(value)
        expect(holds(redactor.body(JSON.stringify({ deep: [{ note: text }] }), 'response'), value)).toBe(
          false,
        )
        expect(holds(redactor.url(`http://host/p?filter=${encodeURIComponent(text)}`), value)).toBe(false)
        expect(holds(JSON.stringify(redactor.headers({ 'x-any': text }, 'user')), value)).toBe(false)
      }),
    )
  })

  it('removes every secret under the key of a secret, and wherever it is repeated', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...keys), (value, key) => {
        const redactor = new Redactor()
        expect(holds(redactor.body(JSON.stringify({ a: { [key]: value } }), 'request'), value)).toBe(false)
        expect(holds(redactor.body(JSON.stringify({ echo: `you sent ${value}` }), 'response'), value)).toBe(
          false,
        )
        expect(holds(redactor.url(`/x?${key}=${encodeURIComponent(value)}&page=1`), value)).toBe(false)
      }),
    )
  })

  it('keeps the beginning of a long text, and no part of a secret that crosses its end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 0, max: 60 }), (at, before) => {
        const redactor = new Redactor()
        const value = `known-secret-${'0123456789'.repeat(20)}`
        redactor.give(value, '$KEY')
        const text = `${value.repeat(before)}${'x'.repeat(at)}${value}${'y'.repeat(20_000)}`
        const shown = redactor.body(text, 'response', 4_096)
        expect(shown.length).toBeLessThanOrEqual(4_097)
        expect(shown.endsWith('…')).toBe(true)
        expect(shown.replaceAll('$KEY', '')).toMatch(/^x*(?:\$K?E?)?y*…$/)
      }),
    )
    expect(new Redactor().body('short', 'response', 5)).toBe('short')
    expect(new Redactor().body('longer', 'response', 5)).toBe('longe…')
  })

  it('replaces a header by the name of its actor', () => {
    const redactor = new Redactor()
    expect(redactor.headers({ authorization: 'opaque-token', accept: 'a/b' }, 'user B')).toEqual({
      authorization: '$TOKEN_USER_B',
      accept: 'a/b',
    })
    expect(redactor.text('again opaque-token')).toBe('again $TOKEN_USER_B')
    // Their token is not that of an actor.
    const basic = { authorization: `Basic ${Buffer.from('root:open-sesame').toString('base64')}` }
    expect(redactor.headers(basic, 'user B')).toEqual({ authorization: 'Basic $TOKEN' })
  })

  it.each<[string, (redactor: Redactor) => void]>([
    ['given', (redactor) => redactor.give('letmein', '$PASSWORD')],
    ['met', (redactor) => redactor.meet('letmein', '$PASSWORD')],
  ])('treats a header value that was harmless as a secret once it is %s', (_, learn) => {
    const redactor = new Redactor()
    const header = () => redactor.headers({ 'x-echo': 'said letmein' }, 'guest')
    expect([header(), header()]).toEqual([{ 'x-echo': 'said letmein' }, { 'x-echo': 'said letmein' }])
    learn(redactor)
    expect(header()).toEqual({ 'x-echo': 'said $PASSWORD' })
  })

  it('recognizes signed tokens and project keys by their form', () => {
    const text = new Redactor().text('a eyJhbGciOiJIUzI1NiJ9.eyJpZCI6IjEifQ.abc-_1 b rak_x1_Abc123 c')
    expect(text).toBe('a $TOKEN b $KEY c')
  })

  it('finds a code anywhere but in a longer number', () => {
    const redactor = new Redactor()
    redactor.body('{"code":"123456"}', 'request')
    expect(redactor.text('Call +49 30 1234567 or 0123456.')).toBe('Call +49 30 1234567 or 0123456.')
    for (const [text, redacted] of [
      ['Use 123456.', 'Use $CODE.'],
      ['/x?q=a%20123456&b', '/x?q=a%20$CODE&b'],
      [String.raw`"\u0020123456"`, String.raw`"\u0020$CODE"`],
      ['A123456B', 'A$CODEB'],
    ] as const)
      expect(redactor.text(text)).toBe(redacted)
  })

  it('finds a token of one digit anywhere but in a longer number, and any other secret everywhere', () => {
    const redactor = new Redactor()
    redactor.meet('0000000', '$TOKEN')
    redactor.meet('7654321', '$PASSWORD')
    expect(redactor.text('10000000007 comes before 0000000')).toBe('10000000007 comes before $TOKEN')
    expect(redactor.text('976543210')).toBe('9$PASSWORD0')
  })

  it('treats a code as a secret in requests only', () => {
    const redactor = new Redactor()
    expect(redactor.body('{"code":"abc12345"}', 'request')).toBe('{"code":"$CODE"}')
    expect(redactor.body('{"code":"validation_required"}', 'response')).toBe('{"code":"validation_required"}')
  })

  it('finds keys in broken JSON', () => {
    expect(new Redactor().body('{"password":"hunter22222"', 'request')).not.toContain('hunter22222')
  })

  const value = 'hunter2-$x y'
  const encoded = encodeURIComponent(value)
  it.each<[string, string, (redactor: Redactor, text: string) => string]>([
    ['a form', `identity=a&password=${encoded}&x=1`, (redactor, text) => redactor.body(text, 'request')],
    [
      'a multipart form',
      `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${value}\r\n--b--\r\n`,
      (redactor, text) => redactor.octets(Buffer.from(text)),
    ],
    ['a query', `/p?page=1&access_token=${encoded}`, (redactor, text) => redactor.url(text)],
    ['a list', JSON.stringify({ password: [value] }), (redactor, text) => redactor.body(text, 'request')],
    [
      'a key twice',
      `{"password":"${value}","password":null}`,
      (redactor, text) => redactor.body(text, 'request'),
    ],
    ['an escaped key', `{"p\\u0061ssword":"${value}"}`, (redactor, text) => redactor.body(text, 'request')],
    [
      'JSON in JSON',
      JSON.stringify({ a: JSON.stringify({ apiKey: value }) }),
      (redactor, text) => redactor.body(text, 'response'),
    ],
    ['a message', `expected {"passwordConfirm":"${value}"}`, (redactor, text) => redactor.message(text)],
    ['a message cut off', `sent {"tokenKey":"${value}`, (redactor, text) => redactor.message(text)],
    [
      'a cookie',
      `pb=${encoded}; Path=/`,
      (redactor, text) => redactor.headers({ 'set-cookie': text }, 'guest')['set-cookie'] ?? '',
    ],
    [
      'a header of its own',
      value,
      (redactor, text) => redactor.headers({ 'x-api-key': text }, 'guest')['x-api-key'] ?? '',
    ],
    [
      'a redirect',
      `/next?token=${encoded}`,
      (redactor, text) => redactor.headers({ location: text }, 'guest').location ?? '',
    ],
    [
      'Basic credentials',
      `Basic ${Buffer.from(`root:${value}`).toString('base64')}`,
      (redactor, text) => redactor.headers({ authorization: text }, 'guest').authorization ?? '',
    ],
    ['an address', `http://root:${encoded}@host/p`, (redactor, text) => redactor.message(text)],
  ])('finds the secret in %s, and wherever it is repeated', (_, text, redact) => {
    const redactor = new Redactor()
    const out = redact(redactor, text)
    expect(out).toMatch(/\$(PASSWORD|TOKEN|SECRET|KEY)/)
    expect(holds(out, value)).toBe(false)
    expect(out).not.toContain(Buffer.from(value).toString('base64').slice(0, 12))
    if (!text.includes('@host')) expect(redactor.text(`again ${value}`)).not.toContain(value)
  })

  it('finds a known secret in base64 at any offset', () => {
    const redactor = new Redactor()
    redactor.give(value, '$PASSWORD')
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = redactor.text(Buffer.from(`${before}${value}tail`).toString('base64'))
      expect(text).toContain('$PASSWORD')
      expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain(value.slice(3, -3))
    }
  })

  it('keeps the rest of a body exactly as it was written', () => {
    const body = '{ "n": 1.0, "n": 1e400,\n "password" : "hunter22222", "big": 12345678901234567890 }'
    expect(new Redactor().body(body, 'request')).toBe(body.replace('hunter22222', '$PASSWORD'))
  })

  it('searches a word of the paths by name only: an email may contain one instead of a proof', () => {
    const redactor = new Redactor()
    redactor.meet('password-reset', '$PROOF')
    const path = '/api/v1/collections/members/confirm-password-reset'
    expect(redactor.text(path)).toBe(path)
    expect(redactor.body('{"token":"password-reset"}', 'request')).toBe('{"token":"$TOKEN"}')
  })

  it('recognizes a secret that begins like a name', () => {
    expect(new Redactor().body('{"password":"$ecret-1234"}', 'request')).toBe('{"password":"$PASSWORD"}')
  })

  const long = inFull ? 20_000_000 : 8_000_000
  it.each<[string, string]>([
    ['plain characters', 'A'.repeat(long)],
    ['escapes', '\\n'.repeat(long / 2)],
    ['JSON in JSON', `{\\"apiKey\\":\\"${'A'.repeat(long)}\\"}`],
    ['lines of a form', `form-data; name=\\"password\\"${'\r\nA'.repeat(long / 3)}`],
  ])(
    'handles a long string: %s',
    (_, value) => {
      const shown = new Redactor().body(`{"file":"${value}","password":"hunter22222"}`, 'request')
      expect(shown.slice(-25)).toBe('","password":"$PASSWORD"}')
    },
    60_000,
  )

  it('handles a long unterminated string', () => {
    const shown = new Redactor().body(`{"password":"${'\\"'.repeat(long / 2)}`, 'request')
    expect(shown).toBe('{"password":"$PASSWORD')
  }, 60_000)

  it('treats __proto__ like any other key', () => {
    expect(new Redactor().body('{"__proto__":{"token":"abcdefgh"}}', 'request')).toBe(
      '{"__proto__":{"token":"$TOKEN"}}',
    )
  })
})

describe('where the sender makes up its passwords', () => {
  const redactor = () => new Redactor({ showsSentPasswords: true })
  const sent = '{"password":"wrong password"}'

  it('shows them in requests, and where they are repeated', () => {
    const shown = redactor()
    expect(shown.body(sent, 'request')).toBe(sent)
    expect(shown.octets(Buffer.from(sent))).toBe(sent)
    expect(shown.body('{"you":{"password":"wrong password"}}', 'response')).toContain('wrong password')
    expect(shown.message('a wrong password yields a token')).toBe('a wrong password yields a token')
    expect(shown.field('password', 'another one')).toBe('another one')
  })

  it('redacts the passwords that were given', () => {
    for (const order of ['before', 'after']) {
      const shown = redactor()
      if (order === 'before') shown.give('hunter22222', '$PASSWORD_SUPERUSER')
      const first = shown.body('{"password":"hunter22222"}', 'request')
      if (order === 'after') shown.give('hunter22222', '$PASSWORD_SUPERUSER')
      else expect(first).toBe('{"password":"$PASSWORD"}')
      expect(shown.body('{"password":"hunter22222"}', 'request')).toBe('{"password":"$PASSWORD"}')
      expect(shown.text('hunter22222')).toBe('$PASSWORD_SUPERUSER')
    }
  })

  it('redacts what a server sent, also when it is sent back as a password', () => {
    const shown = redactor()
    expect(shown.body('{"passwordHash":"0a1b2c3d4e","token":"opaque-token"}', 'response')).toBe(
      '{"passwordHash":"$PASSWORD","token":"$TOKEN"}',
    )
    expect(shown.body('{"password":"opaque-token","passwordConfirm":"0a1b2c3d4e"}', 'request')).toBe(
      '{"password":"$PASSWORD","passwordConfirm":"$PASSWORD"}',
    )
  })

  it('redacts a token that was sent as a password before', () => {
    const shown = redactor()
    shown.body('{"password":"opaque-token"}', 'request')
    shown.headers({ authorization: 'opaque-token' }, 'user')
    expect(shown.text('opaque-token')).toBe('$TOKEN_USER')
  })
})

it('shows what a check expected, unless it is a secret', () => {
  const redactor = new Redactor()
  redactor.body('{"token":"opaque-token"}', 'response')
  const codes = '{"otpId":"validation_required","password":"validation_required"}'
  expect(redactor.fact(codes)).toBe(codes)
  // It did not become a secret either.
  expect(redactor.text('validation_required')).toBe('validation_required')
  expect(redactor.fact('200 {"token":"opaque-token","password":"a1b2"}')).toBe(
    '200 {"token":"$TOKEN","password":"$PASSWORD"}',
  )
})

describe('what a check received', () => {
  const token = 'QUJD/REVGSGk+zzzzYYYYxxxx/0123456789=='
  it.each<[string, (body: string) => string]>([
    ['slashes, as PHP does', (body) => body.replaceAll('/', '\\/')],
    ['plus signs, as .NET does', (body) => body.replaceAll('+', '\\u002B')],
  ])('contains no token of a server that escapes %s', (_, escaped) => {
    const redactor = new Redactor()
    const body = escaped(JSON.stringify({ token, record: {} }))
    redactor.body(body, 'response')
    expect(redactor.fact(`200 ${body}`)).toBe('200 {"token":"$TOKEN","record":{}}')
    const inString = redactor.fact(JSON.stringify(`200 ${body}`))
    expect(inString).toBe(JSON.stringify('200 {"token":"$TOKEN","record":{}}'))
  })

  it('contains no part of a token with quotation marks', () => {
    const body = JSON.stringify({ token: 'ab"cdefgh\\', note: 'ok' })
    for (const redact of [
      (text: string) => new Redactor().fact(text),
      (text: string) => new Redactor().message(text),
    ])
      expect(redact(JSON.stringify(body))).toBe(JSON.stringify('{"token":"$TOKEN","note":"ok"}'))
  })

  it('contains no secret of a list with more of them than are searched by value', () => {
    const redactor = new Redactor({ showsSentPasswords: true })
    const items = Array.from({ length: 700 }, (_each, at) => ({
      tokenKey: `seen-key-${at}`,
      passwordHash: `seen-hash-${at}`,
      refreshToken: `seen-token-${at}`,
    }))
    const body = JSON.stringify({ items })
    redactor.body(body, 'response', 4_000)
    expect(redactor.fact(`200 ${body}`)).not.toContain('seen-')
    expect(redactor.fact(JSON.stringify(`200 ${body}`))).not.toContain('seen-')
  })

  it('contains no secret that is too long to be searched by value', () => {
    const redactor = new Redactor()
    const body = JSON.stringify({ token: 'h'.repeat(2_000_001) })
    redactor.body(body, 'response', 4_000)
    expect(redactor.fact(`200 ${body}`)).toBe('200 {"token":"$TOKEN"}')
  })

  it('contains no token that was cut', () => {
    const redactor = new Redactor()
    const body = `{"message":"verify first","session":{"token":"${'opaque-token-'.repeat(10)}"}}`
    redactor.body(body, 'response')
    expect(redactor.fact(`rejects (400 ${body.slice(0, 100)})`)).not.toContain('opaque')
  })

  it('contains the passwords that the run made up', () => {
    const redactor = new Redactor({ showsSentPasswords: true })
    redactor.body('{"password":"made up \\"it\\" 12"}', 'request')
    const text = '200 {"password":"made up \\"it\\" 12"}'
    expect(redactor.fact(text)).toBe(text)
    expect(redactor.fact(JSON.stringify(text))).toBe(JSON.stringify(text))
  })
})

describe('ordinary words', () => {
  it.each([
    '{"errors":{"identity":"required","password":"required"}}',
    '{"errors":{"password":["too short","must have 8 characters"],"token":"is not valid."}}',
    '{"fields":{"passwordConfirm":"min_length","clientSecret":"MISSING","note":"min_length"}}',
    '{"error":"\\"password\\": \\"weak\\""}',
  ])('of an error response are not secrets, there or anywhere else: %s', (body) => {
    for (const showsSentPasswords of [false, true]) {
      const redactor = new Redactor({ showsSentPasswords })
      expect(redactor.body(body, 'rejection')).toBe(body)
      expect(redactor.fact(`received 400 ${body}`)).toBe(`received 400 ${body}`)
      expect(redactor.message('is required, too short, weak')).toBe('is required, too short, weak')
    }
  })

  it('are secrets if they were sent or given as one', () => {
    const redactor = new Redactor()
    redactor.give('open sesame', '$PASSWORD_SUPERUSER')
    redactor.body('{"password":"letmein","oldPassword":"cat"}', 'request')
    const echo = '{"errors":{"password":"letmein","oldPassword":"cat","passwordConfirm":"open sesame"}}'
    expect(redactor.body(echo, 'rejection')).toBe(
      '{"errors":{"password":"$PASSWORD","oldPassword":"$PASSWORD","passwordConfirm":"$PASSWORD"}}',
    )
    const later = new Redactor()
    later.body('{"errors":{"password":"required"}}', 'rejection')
    later.body('{"password":"required"}', 'request')
    expect(later.text('required')).toBe('$PASSWORD')
  })

  it.each(['0a1b2c3d4e', 'hunter22222', 'a'.repeat(40), '12345678'])(
    'are not strings like %s in an error response',
    (value) => {
      expect(new Redactor().body(`{"password":"${value}"}`, 'rejection')).toBe('{"password":"$PASSWORD"}')
    },
  )

  it('are replaced only where they are sent, if the sender makes up its secrets', () => {
    const redactor = new Redactor({ showsSentPasswords: true })
    expect(redactor.headers({ authorization: 'garbage' }, 'bogus')).toEqual({ authorization: '$TOKEN_BOGUS' })
    expect(redactor.body('{"secret":"by a guest"}', 'request')).toBe('{"secret":"$SECRET"}')
    expect(redactor.body('{"secret":"by a guest"}', 'response')).toBe('{"secret":"$SECRET"}')
    expect(redactor.fact('a write by a guest, with garbage')).toBe('a write by a guest, with garbage')
    redactor.body('{"token":"abcdefgh"}', 'response')
    expect(redactor.text('abcdefgh')).toBe('$TOKEN')
  })

  it('of the attributes of a cookie are not secrets', () => {
    const redactor = new Redactor()
    redactor.headers({ 'set-cookie': 'sid=open sesame; Domain=example.com; SameSite=Strict' }, 'guest')
    redactor.headers({ cookie: 'a=b; domain=another secret' }, 'guest')
    expect(redactor.text('Strict at example.com: open sesame, another secret')).toBe(
      'Strict at example.com: $SECRET, $SECRET',
    )
  })
})

it('calls what an email contained by its own name, whatever key it is sent under', () => {
  const redactor = new Redactor({ showsSentPasswords: true })
  redactor.meet('491823', '$CODE')
  redactor.meet('proof-of-email', '$PROOF')
  expect(redactor.body('{"otpId":"o1","password":"491823"}', 'request')).toBe(
    '{"otpId":"o1","password":"$CODE"}',
  )
  expect(redactor.body('{"token":"proof-of-email"}', 'request')).toBe('{"token":"$PROOF"}')
})

it('shows the variable of a header that is given by its name, cookies included', () => {
  const redactor = new Redactor()
  redactor.give('gate=abc', '$CK')
  redactor.give('open sesame', '$GATE')
  expect(redactor.headers({ cookie: '$CK', 'x-gate-key': '$GATE' }, 'guest')).toEqual({
    cookie: '$CK',
    'x-gate-key': '$GATE',
  })
  expect(redactor.headers({ cookie: '$OTHER' }, 'guest')).toEqual({ cookie: '$SECRET' })
})

it.each(['', 'x'.repeat(5_000_000), '[],'.repeat(1_200_000)])(
  'finds secrets by key in the beginning of a body of any size',
  (pad) => {
    const list = pad.startsWith('[') ? `[${pad}0]` : JSON.stringify(pad)
    const secrets = '"token":["s3cr3tA-aaaa"],"\\u0074oken":"s3cr3tB-aaaa","password":["s3cr3tC"]'
    const shown = new Redactor().body(`{${secrets},"pad":${list}}`, 'response', 500)
    expect(shown).not.toContain('s3cr3t')
    expect(shown).toContain('$TOKEN')
  },
)

it('redacts the beginning of a body with more values than can be read, without parsing the rest', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const body = `{"password":"open sesame","list":[${'[],'.repeat(600_000)}[]]}`
  const shown = new Redactor().body(body, 'response', 40)
  expect(shown).toBe('{"password":"$PASSWORD","list":[[],[],[]…')
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(250_000)
  parse.mockRestore()
})

describe('the secrets that are searched by value', () => {
  it('are 2,000,000 characters at most, the oldest forgotten first', () => {
    const redactor = new Redactor()
    const long = (at: number) => `${at}-${'s'.repeat(500_000)}`
    for (let at = 0; at < 6; at++) redactor.meet(long(at), '$SECRET')
    expect(redactor.text(long(5))).toBe('$SECRET')
    expect(redactor.text(long(1))).toBe(long(1))
    redactor.meet('x'.repeat(3_000_000), '$SECRET')
    redactor.meet('the next secret', '$SECRET')
    expect(redactor.text('a the next secret')).toBe('a $SECRET')
  })

  it('from the configuration are never forgotten', () => {
    const redactor = new Redactor()
    redactor.give('configured-secret', '$TOKEN')
    for (let at = 0; at < 3_000; at++) redactor.meet(`met-secret-${at}`, '$SECRET')
    expect(redactor.text('configured-secret met-secret-2999')).toBe('$TOKEN $SECRET')
    expect(redactor.text('met-secret-0 ')).toBe('met-secret-0 ')
  })
})

it('finds the parts of a long form quickly, whatever their order', () => {
  const head = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
  const form = `${head('title')}a "b"\r\n${head('password')}open\nsesame\r\n${head('token')}\r\n--b--\r\n`
  expect(new Redactor().body(form, 'request', 4_096)).toBe(form.replace('open\nsesame', '$PASSWORD'))
  const [, ms] = timed(() =>
    new Redactor().body(`form-data password ${'name="password"\r\n\r\n'.repeat(16_000)}`, 'response', 4_096),
  )
  expectWithin(ms, 500)
})
