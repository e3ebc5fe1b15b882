/** One-time codes: their form, how they are emailed, what ends them. */

import type { SentEmail } from '../../reference/reference.ts'
import { servicesOf } from '../../reference/services-of.ts'
import {
  all,
  forgive,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  tamper,
  tamperStatus,
  withMoreHeaders,
} from '../faults/combinators/combinators.ts'
import {
  comesTwice,
  digits,
  drawn,
  emailsCode,
  rewritesMail,
  withProof,
} from '../faults/combinators/emails.ts'
import { fieldRejection, withObject } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { byCode, nearOperation } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('codes')

const near = [
  ...byCode,
  'otp.other-account',
  'otp.table-by-id',
  'otp.id-no-token',
  'mfa.second-factor',
  'mfa.id-required',
  'mfa.wrong-second',
]
const form = { because: 'auth.payloads', near }
const status = { because: 'auth.statuses', near }
function otpIdOfSigned(otpId: unknown): unknown {
  try {
    const [, payload = ''] = String(otpId).split('.')
    return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as JsonValue).otpId
  } catch {
    return otpId
  }
}
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

variation('codes consist of letters and digits', form, emailsCode(drawn(6, `${LETTERS}23456789`)))
variation('codes consist of letters', form, emailsCode(drawn(8, LETTERS)))
variation(
  'codes consist of lowercase letters, in groups',
  form,
  emailsCode(
    () => Array.from({ length: 4 }, drawn(5, LETTERS.toLowerCase())).join('-'),
    (proof) => ({
      html: `<p>Paste this login code:</p><p><code>${proof}</code></p>`,
      text: `Paste this login code:\n\n${proof}`,
    }),
  ),
)
const inGroups = emailsCode(() => `${digits(3)()}-${digits(3)()}`)
variation('codes consist of digits, in groups', form, inGroups)
variation(
  'codes are numbers in groups, and what is not a digit does not count',
  form,
  all(
    rewriteBody('authWithOtp', ({ password, ...body }) => {
      const sent = String(Number(String(password).replace(/\D/g, ''))).padStart(6, '0')
      return { ...body, password: sent.length === 6 ? `${sent.slice(0, 3)}-${sent.slice(3)}` : 'none' }
    }),
    inGroups,
  ),
)
variation(
  'codes consist of letters, in groups',
  form,
  emailsCode(() => `${drawn(4, LETTERS)()}-${drawn(4, LETTERS)()}`),
)
variation('codes have four digits', form, emailsCode(digits(4)))
variation('codes have eight digits', form, emailsCode(digits(8)))
variation(
  'only the subject contains the code',
  form,
  emailsCode(digits(6), (proof) => ({ subject: `Code ${proof} for Example`, text: 'Look at the subject.' })),
)
variation(
  'only the subject contains the code, in groups, and says next that it is one',
  form,
  emailsCode(
    () => `${digits(3)()}-${digits(3)()}`,
    (proof) => ({ subject: `${proof} is your code`, text: 'Enter the code from the subject.' }),
  ),
)
variation(
  'a year and a telephone number follow the code',
  form,
  emailsCode(digits(6), (proof) => ({
    html: `<p>Hello user1234,</p><h2>${proof}</h2><p>It is good for 10 minutes.</p><p>(c) 2026 Example Ltd, Tel. 030 1234567</p>`,
    text: `Hello user1234,\n\n${proof}\n\nIt is good for 10 minutes.\n(c) 2026 Example Ltd, Tel. 030 1234567`,
  })),
)
variation(
  'a year precedes a code of four digits',
  form,
  emailsCode(digits(4), (proof) => ({ html: `<p>Example 2026</p><p>Code: <b>${proof}</b></p>`, text: '' })),
)
variation(
  'the target file says how to find a code',
  { ...form, target: (target) => ({ ...target, mail: { ...target.mail, code: 'login\\?code=(\\w+)' } }) },
  emailsCode(drawn(12, LETTERS), (proof) => ({ text: `https://app.example.com/login?code=${proof}&v=2` })),
)

variation(
  'a sign-in by code returns an access_token, and codes are in groups',
  { because: 'auth.payloads', near: ['otp.sign-in', 'otp.once'] },
  all(
    emailsCode(() => `${drawn(4, `${LETTERS}2345`)()}-${drawn(4, `${LETTERS}2345`)()}`),
    tamper('authWithOtp', ({ token, record }) => ({
      access_token: token,
      token_type: 'bearer',
      expires_in: 3600,
      user: record,
    })),
  ),
)
variation(
  'a request for a code succeeds where codes are disabled, and sends no email',
  { because: 'auth.statuses', near: ['auth-methods.agrees-otp'] },
  forgive('requestOtp', 403, 200, { otpId: 'of-no-code' }),
)
const endsWithWrong = (tools: FaultTools): Middleware => {
  const spent = new Set<unknown>()
  return on('authWithOtp', async (request, next) => {
    const { otpId } = (await parsedBody(request)) ?? {}
    const response = spent.has(otpId) ? fieldRejection(410) : await next(request)
    if (!response.ok) spent.add(otpId)
    return response
  })(tools)
}
variation('the first wrong attempt invalidates a code', status, endsWithWrong)
variation(
  'the first wrong attempt invalidates a code, and its email has a longer number',
  {
    ...status,
    near: ['otp.sign-in', 'otp.once', 'otp.wrong-code', 'otp.other-account', 'mfa.second-factor'],
  },
  all(
    endsWithWrong,
    emailsCode(digits(6), (proof) => ({
      text: `Request: ${digits(9)()}\n\nYour code: ${proof}\n`,
    })),
  ),
)

variation(
  'headers have numbers that contain the code, or are about the message',
  form,
  withProof('requestOtp', 'code', (response, code) =>
    withMoreHeaders(response, {
      etag: `"${code}"`,
      'x-ratelimit-reset': code,
      'x-request-id': `a-${code}-b`,
      'x-started': `17${code}00.${code}`,
    }),
  ),
)
variation(
  'the identifier of a code is an object, encoded and signed, with the digits of the code in a time',
  form,
  all(
    rewriteBody('authWithOtp', (body) => ({ ...body, otpId: otpIdOfSigned(body.otpId) })),
    withProof('requestOtp', 'code', async (response, code) => {
      const { otpId } = (await response.json()) as JsonValue
      const payload = Buffer.from(JSON.stringify({ otpId, exp: Number(`17${code}00`) })).toString('base64url')
      return json(200, { otpId: `e30.${payload}.c2lnbmF0dXJl` })
    }),
  ),
)
variation('two wrong codes lock an account', status, (tools) => {
  const [emails, wrong] = [new Map<unknown, unknown>(), new Map<unknown, number>()]
  return on(['requestOtp', 'authWithOtp'], async (request, next, { operation }) => {
    const { email, otpId } = (await parsedBody(request)) ?? {}
    const owner = operation === 'requestOtp' ? email : emails.get(otpId)
    if ((wrong.get(owner) ?? 0) >= 2) return fieldRejection(423)
    const response = await next(request)
    if (operation === 'requestOtp' && response.ok)
      emails.set(((await response.clone().json()) as JsonValue).otpId, email)
    if (operation === 'authWithOtp' && response.status === 400 && owner !== undefined)
      wrong.set(owner, (wrong.get(owner) ?? 0) + 1)
    return response
  })(tools)
})

variation('a new code invalidates the previous one', form, (tools) => {
  const newest = new Map<string, unknown>()
  const owner = new Map<unknown, string>()
  return on(['requestOtp', 'authWithOtp'], async (request, next, { operation }) => {
    const body = (await parsedBody(request)) ?? {}
    const email = owner.get(body.otpId)
    if (operation === 'authWithOtp')
      return email !== undefined && newest.get(email) !== body.otpId ? fieldRejection(400) : next(request)
    const response = await next(request)
    if (!response.ok) return response
    const { otpId } = (await response.clone().json()) as JsonValue
    owner.set(otpId, String(body.email))
    newest.set(String(body.email), otpId)
    return response
  })(tools)
})

variation(
  'a code is sent back with the address, and has no other identifier',
  {
    ...form,
    near: [...near, 'auth-methods.agrees-otp'],
    target: (target) => ({ ...target, binding: { ...target.binding, 'otp.id': 'email' } }),
  },
  (tools) => {
    const newest = new Map<string, unknown>()
    return on(['requestOtp', 'authWithOtp'], async (request, next, { operation, table }) => {
      const { email, ...others } = (await parsedBody(request)) ?? {}
      const key = `${table} ${String(email).toLowerCase()}`
      if (operation === 'authWithOtp') {
        if (typeof email !== 'string' || 'otpId' in others) return fieldRejection(400)
        return next(withObject(request, { ...others, otpId: newest.get(key) ?? 'none' }))
      }
      const response = await next(request)
      if (!response.ok) return response
      const { otpId } = (await response.json()) as JsonValue
      newest.set(key, otpId)
      return new Response(null, { status: 204 })
    })(tools)
  },
)

for (const [words, isNeeded] of [
  ['unknown', () => true],
  ['left out', (otpId) => otpId === undefined],
] as readonly [string, (otpId: unknown) => boolean][])
  variation(`the identifier of a code may be ${words}`, form, (tools) => {
    const [ids, codes] = [new Map<unknown, unknown>(), new Map<unknown, string>()]
    const keep = rewritesMail((mail) => {
      if (mail.code !== undefined) codes.set(mail.code, mail.to)
      return mail
    })
    const find = on(['requestOtp', 'authWithOtp'], async (request, next, { operation }) => {
      const body = (await parsedBody(request)) ?? {}
      if (operation === 'authWithOtp') {
        const isKnown = [...ids.values()].includes(body.otpId)
        const otpId = ids.get(codes.get(body.password))
        if (isKnown || otpId === undefined || !isNeeded(body.otpId)) return next(request)
        return next(withObject(request, { ...body, otpId }))
      }
      const response = await next(request)
      if (response.ok) ids.set(body.email, ((await response.clone().json()) as JsonValue).otpId)
      return response
    })
    return all(keep, find)(tools)
  })

for (const other of [401, 403, 404, 410, 422])
  variation(`a wrong code is rejected with ${other}`, status, tamperStatus('authWithOtp', 400, other))

variation(
  'a wrong code returns 200 and no token',
  status,
  on('authWithOtp', async (request, next) => {
    const response = await next(request)
    return response.status === 400 ? json(200, { ok: false, reason: 'wrong code' }) : response
  }),
)
variation('a sign-in by code returns 201', status, tamperStatus('authWithOtp', 200, 201))
variation('a request for a code returns 202', status, tamperStatus('requestOtp', 200, 202))
variation(
  'a request for a code returns more than the identifier',
  form,
  tamper('requestOtp', (body) => ({ ...body, message: 'Look into your inbox.', expiresIn: 180, length: 6 })),
)
for (const [words, shape] of [
  ['in data', ({ otpId }) => ({ data: { otpId } })],
  ['in a list of one', ({ otpId }) => [{ otpId }]],
  ['with null for all else', ({ otpId }) => ({ otpId, code: null, error: null, token: null })],
] as readonly [string, (body: JsonValue) => unknown][])
  variation(
    `a request for a code returns its identifier ${words}`,
    { ...form, near: nearOperation.requestOtp },
    tamper('requestOtp', shape),
  )
variation(
  'the otpId and the code have other names',
  {
    ...form,
    target: (target) => ({
      ...target,
      binding: { ...target.binding, 'otp.id': 'challenge', 'otp.code': 'code', 'otp.email': 'address' },
    }),
  },
  all(
    on(['requestOtp', 'authWithOtp'], async (request, next) => {
      const { challenge, code, address, ...rest } = (await parsedBody(request)) ?? {}
      const body = {
        ...rest,
        ...(challenge !== undefined && { otpId: challenge }),
        ...(code !== undefined && { password: code }),
        ...(address !== undefined && { email: address }),
      }
      const headers = new Headers(request.headers)
      headers.delete('content-length')
      const { method, url } = request
      return next(new Request(url, { method, headers, body: JSON.stringify(body) }))
    }),
    tamper('requestOtp', ({ otpId }) => ({ challenge: otpId })),
  ),
)
variation(
  'an otpId looks like a token',
  form,
  all(
    rewriteBody('authWithOtp', (body) => ({ ...body, otpId: String(body.otpId).split('.')[1] })),
    tamper('requestOtp', ({ otpId }) => ({ otpId: `eyJhbGciOiJIUzI1NiJ9.${otpId}.${'s'.repeat(43)}` })),
  ),
)

const shown = (text: (code: string) => string) =>
  rewritesMail((mail) => (mail.code === undefined ? mail : { ...mail, html: '', text: text(mail.code) }))
const cells = (code: string) => [...code].map((digit) => `<td>${digit}</td>`).join('')
variation(
  'an email shows the code in two groups with a space between them',
  form,
  shown((code) => `Ihr Code lautet ${code.slice(0, 3)} ${code.slice(3)}.\n\n10115 Berlin, Tel. 030 1234567`),
)
variation(
  'an email shows each digit of the code in a cell',
  form,
  rewritesMail((mail) =>
    mail.code === undefined
      ? mail
      : {
          ...mail,
          html: `<p>Hello</p><table><tr>${cells(mail.code)}</tr></table><p>10115 Berlin</p>`,
          text: '',
        },
  ),
)
variation(
  'codes consist of small letters and digits',
  form,
  emailsCode(drawn(6, `${LETTERS.toLowerCase()}23456789`), (proof) => ({
    html: `<p>Hello,</p><p>this signs you in</p><h1>${proof}</h1><p>10115 Berlin</p>`,
  })),
)
variation(
  'only a link contains the code',
  form,
  emailsCode(digits(6), (proof) => ({
    html: `<a href="https://app.example.com/login?code&#x3D;${proof}">Sign in</a><p>10115 Berlin</p>`,
  })),
)

/** What becomes of a request for a code while the one before is so many seconds old. */
function repeated(
  answer: (before: JsonValue) => Response | undefined,
  resend?: (mail: SentEmail) => SentEmail,
): (tools: FaultTools) => Middleware {
  return (tools) => {
    const asked = new Map<string, JsonValue>()
    const sent = new Map<string, SentEmail>()
    const watch = rewritesMail((mail) => {
      if (mail.code !== undefined) sent.set(mail.to, mail)
      return mail
    })
    const ask = on('requestOtp', async (request, next, { table = '' }, { reference }) => {
      const { email } = (await parsedBody(request)) ?? {}
      const key = `${table} ${email}`
      const before = asked.get(key)
      if (before === undefined) {
        const response = await next(request)
        if (response.ok) asked.set(key, (await response.clone().json()) as JsonValue)
        return response
      }
      const mail = sent.get(String(email))
      if (resend !== undefined && mail !== undefined) await servicesOf(reference).mail.send(resend(mail))
      return answer(before) ?? next(request)
    })
    return all(watch, ask)(tools)
  }
}
let unsent = 0
const sendsNoSecond = repeated(() => {
  unsent += 1
  return json(200, { otpId: `unsent${String(unsent).padStart(9, '0')}` })
})
variation('a second request for a code within a minute succeeds and sends no email', status, sendsNoSecond)
variation(
  'a second request for a code within a minute succeeds and sends no email, and each email comes twice',
  status,
  all(sendsNoSecond, comesTwice),
)
variation(
  'a second request for a code within a minute returns 204 and sends no email',
  status,
  repeated(() => new Response(null, { status: 204 })),
)
variation(
  'a second request for a code within a minute returns the same identifier and sends no email',
  status,
  repeated((before) => json(200, before)),
)
variation(
  'a second request for a code within a minute is rejected',
  status,
  repeated(() => fieldRejection(400)),
)
variation(
  'a second request for a code within a minute is rate-limited',
  status,
  repeated(() => {
    const response = json(429, {})
    response.headers.set('retry-after', '60')
    return response
  }),
)
variation(
  'a second request for a code within a minute sends the same code again',
  status,
  repeated(
    (before) => json(200, before),
    (mail) => mail,
  ),
)
variation(
  'an email with a code comes twice',
  status,
  rewritesMail((mail) => (mail.code === undefined ? mail : [mail, mail])),
)
variation(
  'a second request for a code within a minute succeeds and sends no email, and a wrong attempt ends the code',
  status,
  all(
    endsWithWrong,
    repeated((before) => json(200, before)),
  ),
)
