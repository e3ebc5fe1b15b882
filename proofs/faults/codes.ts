/** Defects of one-time codes. */

import { setTimeout as sleep } from 'node:timers/promises'
import { servicesOf } from '../../reference/services-of.ts'
import { andThen, emails, letIn, recordsWhere, session, tellsUnknown, tokenIn } from './combinators/auth.ts'
import {
  all,
  another,
  forgive,
  type JsonValue,
  json,
  on,
  only,
  parsedBody,
  rewriteBody,
  swallow,
  tamper,
  tamperStatus,
  underIdentifier,
  withMoreHeaders,
} from './combinators/combinators.ts'
import { keepsProofs, revealsProofs, rewritesMail, withProof } from './combinators/emails.ts'
import { fieldRejection, withObject } from './combinators/field.ts'
import { letsInByCode, takesForToken } from './combinators/two-steps.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

const [OTP, ASK] = ['authWithOtp', 'requestOtp'] as const
const NO_ONE = { otpId: 'nosuchcode00000' }

fault(
  'codes are not sent',
  { trips: ['otp.mails-code', 'otp.digits', 'otp.several-open'] },
  swallow(ASK, 200, NO_ONE),
)
fault(
  'the response contains the code',
  { trips: ['otp.two-steps', 'request-otp.status'] },
  tamper(ASK, (body) => ({ ...body, token: 'x' })),
)
fault(
  'any code is accepted',
  {
    trips: [
      'otp.made-up',
      'otp.wrong-code',
      'otp.other-account',
      'otp.once',
      'otp.refused',
      'otp.attempts',
      'otp.expires',
      'otp.other-table',
      'token.password-ends-mail',
      'mfa.wrong-second',
      'mfa.wrong-second-refused',
      'mfa.code-consumed',
      'mfa.once',
      'mfa.unknown',
      'mfa.other-record',
      'mfa.other-account',
      'mfa.expires',
      'mfa.password-ends',
      'mfa.id-required',
    ],
  },
  all(
    letsInByCode(() => true),
    on(OTP, async (request, next) => {
      const response = await next(request)
      return response.status === 400 && request.url.includes('passwordless')
        ? json(200, { token: 'x', record: {} })
        : response
    }),
  ),
)
fault(
  'codes do not sign in',
  { trips: ['otp.sign-in', 'otp.verifies', 'otp.meets-auth-rule', 'otp.verified-keeps'] },
  on(OTP, async () => fieldRejection(400)),
)
fault(
  'codes work where they are disabled',
  { trips: ['request-otp.off'] },
  forgive([ASK, OTP], 403, 200, NO_ONE),
)
fault(
  'a code can be requested for any string',
  { trips: ['request-otp.invalid'] },
  forgive(ASK, 400, 200, NO_ONE),
)
fault(
  'a request for a code returns 201',
  { trips: ['request-otp.status', 'otp.unknown-silent'] },
  tamperStatus(ASK, 200, 201),
)
fault(
  'a request for a code fails for an unknown address',
  { trips: ['enumeration.otp', 'otp.unknown-silent'] },
  tellsUnknown(ASK, 'email', 404),
)
fault(
  'every request for a code sends an email',
  { trips: ['otp.unknown-silent', 'otp.most-open'] },
  on(ASK, async (request, next, _match, tools) => {
    const { email } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    await emails(tools, email, 'Your code is 123456')
    return response
  }),
)
fault(
  'codes have eight digits',
  { trips: ['otp.digits'] },
  on(ASK, async (request, _next, _match, tools) => {
    await emails(tools, (await parsedBody(request))?.email, 'Your code is 12345678')
    return json(200, NO_ONE)
  }),
)
fault(
  'a wrong code is rejected with 403',
  {
    trips: [
      'otp.missing',
      'otp.refused',
      'otp.other-table',
      'otp.expires',
      'otp.email-ends',
      'mfa.once',
      'mfa.unknown',
      'mfa.other-record',
      'mfa.wrong-second-refused',
      'mfa.expires',
      'mfa.password-ends',
      'mfa.code-consumed',
    ],
  },
  tamperStatus(OTP, 400, 403),
)
fault('attempts are not limited', { trips: ['otp.attempts'] }, tamperStatus(OTP, 429, 400))
fault('a new code invalidates the previous one', { trips: ['otp.several-open'] }, (tools) => {
  const newest = new Map<string, string>()
  const owner = new Map<string, string>()
  return on([ASK, OTP], async (request, next, { operation }) => {
    const body = (await parsedBody(request)) ?? {}
    if (operation === OTP) {
      const email = owner.get(String(body.otpId))
      return email !== undefined && newest.get(email) !== body.otpId ? fieldRejection(400) : next(request)
    }
    const response = await next(request.clone())
    const { otpId } = (await response.clone().json()) as JsonValue
    owner.set(String(otpId), String(body.email))
    newest.set(String(body.email), String(otpId))
    return response
  })(tools)
})
fault(
  'a sign-in by code ends the verification of the account',
  { trips: ['verification.confirms'] },
  andThen(OTP, ({ record }) => (record as { id?: string } | undefined)?.id, { verified: false }),
)
fault(
  'every code replaces the password',
  { trips: ['otp.verified-keeps'] },
  andThen(OTP, ({ record }) => (record as { id?: string } | undefined)?.id, {
    password: 'replaced by the server',
    passwordConfirm: 'replaced by the server',
  }),
)
fault(
  'the authRule rejects codes',
  { trips: ['otp.meets-auth-rule'] },
  on(OTP, async (request, next, { table }) => (table === 'conf_gated' ? fieldRejection(403) : next(request))),
)
fault('an otpId works as a token', { trips: ['otp.id-no-token'] }, takesForToken(ASK, 'otpId', 'email'))

fault('the otpId contains the code', { trips: ['otp.two-steps'] }, (tools) => {
  const { reference } = tools
  const codes = new Map<string, string>()
  const send = servicesOf(reference).mail.send
  servicesOf(reference).mail.send = async (mail) => {
    if (mail.code !== undefined) codes.set(mail.to, mail.code)
    await send(mail)
  }
  const sendRequest = on(ASK, async (request, next) => {
    const { email } = (await parsedBody(request)) ?? {}
    codes.delete(String(email))
    const response = await next(request)
    const body = (await response.clone().json()) as JsonValue
    // After the response, so that its time does not reveal whether an address is known.
    for (let wait = 0; wait < 50 && !codes.has(String(email)); wait += 1) await sleep(2)
    return response.ok ? json(200, { ...body, otpId: `${body.otpId}-${codes.get(String(email))}` }) : response
  })
  const use = rewriteBody(OTP, (body) => ({ ...body, otpId: String(body.otpId).split('-')[0] }))
  return all(sendRequest, use)(tools)
})
fault('a session by code may only read', { trips: ['otp.sign-in'] }, (tools) => {
  const given = new Set<unknown>()
  const watch = on('authWithOtp', async (request, next) => {
    const response = await next(request)
    if (response.ok) given.add(((await response.clone().json()) as JsonValue).token)
    return response
  })
  const reject = on('updateRecord', async (request, next) =>
    given.has(tokenIn(request)) ? fieldRejection(403) : next(request),
  )
  return all(reject, watch)(tools)
})
fault('a code outlives its account', { trips: ['auth.deleted-signed-out'] }, (tools) => {
  const asked = new Map<unknown, unknown>()
  const remember = on('requestOtp', async (request, next, { table = '' }) => {
    const { email } = (await parsedBody(request.clone())) ?? {}
    const response = await next(request.clone())
    if (!response.ok) return response
    const [record] = await recordsWhere(tools, request, table, `email = "${email}"`)
    const { otpId } = (await response.clone().json()) as JsonValue
    asked.set(otpId, record?.id)
    return response
  })
  const accept = on('authWithOtp', async (request, next, { table = '' }) => {
    const { otpId } = (await parsedBody(request.clone())) ?? {}
    const response = await next(request.clone())
    const id = asked.get(otpId)
    if (response.ok || id === undefined) return response
    const left = await recordsWhere(tools, request, table, `id = "${id}"`)
    return left.length > 0 ? response : session('back', id)
  })
  return all(accept, remember)(tools)
})
/** A code signs in under another table what it signs in under its own. @param isMeant the table of the code, and the other one */
const signsInElsewhere =
  (isMeant: (own: string, other: string) => boolean) =>
  (tools: FaultTools): Middleware => {
    const asked = new Map<unknown, string>()
    const remember = on('requestOtp', async (request, next, { table = '' }) => {
      const response = await next(request)
      if (response.ok) asked.set(((await response.clone().json()) as JsonValue).otpId, table)
      return response
    })
    const accept = on('authWithOtp', async (request, next, { table = '' }) => {
      const body = (await parsedBody(request.clone())) ?? {}
      const own = asked.get(body.otpId)
      if (own === undefined || own === table || !isMeant(own, table)) return next(request)
      return next(another(request, 'POST', `${tools.prefix}/collections/${own}/auth-with-otp`, body))
    })
    return all(accept, remember)(tools)
  }
fault(
  'a code of another auth table signs in',
  { trips: ['auth.own-table-only'] },
  signsInElsewhere(() => true),
)
fault(
  'a code of another auth table that has codes signs in',
  { trips: ['auth.own-table-only'] },
  signsInElsewhere((own, other) => own === 'conf_passwordless' || other === 'conf_passwordless'),
)
fault(
  'under the identifier of a table, any code is accepted',
  { trips: ['otp.once', 'otp.wrong-code', 'otp.other-account', 'mfa.id-required'] },
  underIdentifier(
    [OTP],
    letsInByCode(() => true),
  ),
)
fault(
  'any code is accepted of a client that sends a token',
  { trips: ['otp.once', 'otp.wrong-code'] },
  only(
    (request) => !/auth-with-otp$/.test(request.url) || tokenIn(request) !== '',
    letsInByCode(() => true),
  ),
)
fault(
  'a code signs in with any identifier that was not returned',
  { trips: ['otp.other-account'] },
  (tools) => {
    const [codes, given] = [new Map<unknown, string>(), new Set<unknown>()]
    const keep = rewritesMail((mail) => {
      if (mail.code !== undefined) codes.set(mail.code, mail.to)
      return mail
    })
    const accept = on([ASK, OTP], async (request, next, { operation, table = '' }) => {
      const { otpId, password } = (await parsedBody(request)) ?? {}
      const response = await next(request.clone())
      if (operation === ASK) {
        if (response.ok) given.add(((await response.clone().json()) as JsonValue).otpId)
        return response
      }
      const email = codes.get(password)
      if (response.ok || email === undefined || !otpId || given.has(otpId)) return response
      return (await letIn(tools, request, table, `email = "${email}"`)) ?? response
    })
    return all(keep, accept)(tools)
  },
)
fault('every account gets the same code', { trips: ['otp.once', 'otp.other-account'] }, (tools) => {
  const code = '777777'
  const [real, asked] = [new Map<unknown, string>(), new Map<unknown, unknown>()]
  const send = rewritesMail((mail) => {
    if (mail.code === undefined) return mail
    real.set(mail.to, mail.code)
    return { ...mail, html: `<p>Your code is ${code}.</p>`, text: `Your code is ${code}.` }
  })
  const remember = on(ASK, async (request, next) => {
    const { email } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    if (response.ok) asked.set(((await response.clone().json()) as JsonValue).otpId, email)
    return response
  })
  const use = rewriteBody(OTP, (body) =>
    body.password === code ? { ...body, password: real.get(asked.get(body.otpId)) ?? code } : body,
  )
  return all(send, remember, use)(tools)
})
fault('a used code counts for every newer one', { trips: ['otp.once'] }, (tools) => {
  const used = new Set<unknown>()
  const watch = on(OTP, async (request, next) => {
    const { otpId, password } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    if (response.ok) for (const each of [otpId, password]) used.add(each)
    return response
  })
  return all(
    letsInByCode(({ otpId, password }) => used.has(password) && !used.has(otpId)),
    watch,
  )(tools)
})
fault('the code of a verified account signs in again', { trips: ['otp.once'] }, (tools) => {
  const [ofVerified, used] = [new Set<unknown>(), new Set<unknown>()]
  const watch = on([ASK, OTP], async (request, next, { operation, table = '' }) => {
    const body = (await parsedBody(request)) ?? {}
    const found =
      operation === ASK ? await recordsWhere(tools, request, table, `email = "${body.email}"`) : []
    const response = await next(request)
    if (!response.ok) return response
    if (operation === OTP) used.add(`${body.otpId} ${body.password}`)
    else if (found[0]?.verified === true) ofVerified.add(((await response.clone().json()) as JsonValue).otpId)
    return response
  })
  return all(
    letsInByCode(({ otpId, password }) => ofVerified.has(otpId) && used.has(`${otpId} ${password}`)),
    watch,
  )(tools)
})

/** An email in which another number looks more like the code. */
const withReference = rewritesMail((mail) =>
  mail.code === undefined
    ? mail
    : { ...mail, html: '', text: `Request: 987654321\n\nUse ${mail.code} to sign in.` },
)
fault(
  'any code of six digits is accepted, and its email has another number',
  { trips: ['otp.wrong-code', 'otp.other-account', 'mfa.wrong-second'] },
  all(
    withReference,
    letsInByCode(({ password }) => /^\d{6}$/.test(String(password))),
  ),
)
fault(
  'the response contains the code, and its email has another number',
  { trips: ['otp.two-steps', 'otp.made-up'] },
  all(withReference, (tools) => {
    const codes = new Map<unknown, string>()
    const watch = rewritesMail((mail) => {
      if (mail.code !== undefined) codes.set(mail.to, mail.code)
      return mail
    })
    const show = on(ASK, async (request, next) => {
      const { email } = (await parsedBody(request)) ?? {}
      const response = await next(request)
      const body = (await response.clone().json()) as JsonValue
      for (let wait = 0; wait < 50 && !codes.has(email); wait += 1) await sleep(2)
      return response.ok ? json(200, { ...body, debug: codes.get(email) }) : response
    })
    return all(watch, show)(tools)
  }),
)
fault('a code is rejected at the first attempt', { trips: ['otp.sign-in'] }, (tools) => {
  const tried = new Set<unknown>()
  return on(OTP, async (request, next) => {
    const { otpId } = (await parsedBody(request)) ?? {}
    if (tried.has(otpId)) return next(request)
    tried.add(otpId)
    return fieldRejection(400)
  })(tools)
})
fault('a newer code does not sign in while an older one may', { trips: ['otp.sign-in'] }, (tools) => {
  const [asked, dead] = [new Set<unknown>(), new Set<unknown>()]
  return on([ASK, OTP], async (request, next, { operation }) => {
    const { email, otpId } = (await parsedBody(request)) ?? {}
    if (operation === OTP) return dead.has(otpId) ? fieldRejection(400) : next(request)
    const response = await next(request)
    if (response.ok && asked.has(email)) dead.add(((await response.clone().json()) as JsonValue).otpId)
    asked.add(email)
    return response
  })(tools)
})
fault('a used code signs in again after a wrong one', { trips: ['otp.once'] }, (tools) => {
  const [used, wrong] = [new Map<unknown, unknown>(), new Set<unknown>()]
  const watch = on(OTP, async (request, next) => {
    const { otpId, password } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    if (response.ok) used.set(otpId, password)
    else if (used.has(otpId) && used.get(otpId) !== password) wrong.add(otpId)
    return response
  })
  return all(
    letsInByCode(({ otpId, password }) => wrong.has(otpId) && used.get(otpId) === password),
    watch,
  )(tools)
})

fault('a sign-in by code ends the codes of all accounts', { trips: ['otp.sign-in'] }, (tools) => {
  let open = new Set<unknown>()
  return on([ASK, OTP], async (request, next, { operation }) => {
    const { otpId } = (await parsedBody(request)) ?? {}
    if (operation === OTP && !open.has(otpId)) return fieldRejection(400)
    const response = await next(request)
    if (operation === OTP && response.ok) open = new Set()
    if (operation === ASK && response.ok) open.add(((await response.clone().json()) as JsonValue).otpId)
    return response
  })(tools)
})
fault('only the newest code of all accounts signs in', { trips: ['otp.sign-in'] }, (tools) => {
  let newest: unknown
  return on([ASK, OTP], async (request, next, { operation }) => {
    const { otpId } = (await parsedBody(request)) ?? {}
    if (operation === OTP) return otpId === newest ? next(request) : fieldRejection(400)
    const response = await next(request)
    if (response.ok) newest = ((await response.clone().json()) as JsonValue).otpId
    return response
  })(tools)
})
fault('the last digit of a code is ignored', { trips: ['otp.wrong-code'] }, (tools) => {
  const codes = new Set<string>()
  const ignore = on(OTP, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const sent = String(body.password)
    const right = [...codes].find((code) => code !== sent && code.slice(0, -1) === sent.slice(0, -1))
    if (response.ok || right === undefined) return response
    return next(withObject(request, { ...body, password: right }))
  })
  return all(keepsProofs(codes, 'code'), ignore)(tools)
})
fault(
  'the rejection of a wrong code contains the right one',
  { trips: ['otp.wrong-code'] },
  revealsProofs(OTP, 'code'),
)
fault('the beginning of a code is enough', { trips: ['otp.wrong-code'] }, (tools) => {
  const codes = new Set<string>()
  const complete = on(OTP, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const sent = String(body.password ?? '')
    const right = [...codes].find((code) => sent !== '' && code !== sent && code.startsWith(sent))
    if (right === undefined) return next(request)
    return next(withObject(request, { ...body, password: right }))
  })
  return all(keepsProofs(codes, 'code'), complete)(tools)
})
fault('codes are compared as numbers', { trips: ['otp.wrong-code'] }, (tools) => {
  const codes = new Set<string>()
  const find = on(OTP, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const sent = String(body.password ?? '')
    const right = [...codes].find((code) => code !== sent && Number(code) === Number(sent))
    return next(right === undefined ? request : withObject(request, { ...body, password: right }))
  })
  return all(keepsProofs(codes, 'code'), find)(tools)
})
fault('a string that contains the code is enough', { trips: ['otp.wrong-code'] }, (tools) => {
  const codes = new Set<string>()
  const find = on(OTP, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const sent = String(body.password ?? '')
    const right = [...codes].find((code) => code !== sent && sent.includes(code))
    return next(right === undefined ? request : withObject(request, { ...body, password: right }))
  })
  return all(keepsProofs(codes, 'code'), find)(tools)
})
const base64 = (text: string) => Buffer.from(text).toString('base64')
for (const [where, show] of [
  ['a header', (response, code) => withMoreHeaders(response, { 'x-debug-code': code })],
  [
    'a header with other words',
    (response, code) => withMoreHeaders(response, { 'x-debug': `code="${code}"; ttl=60` }),
  ],
  ['a cookie', (response, code) => withMoreHeaders(response, { 'set-cookie': `otp=${code}; Path=/` })],
  [
    'base64',
    async (response, code) => json(200, { ...((await response.json()) as object), data: base64(code) }),
  ],
  [
    'an encoded object',
    async (response, code) =>
      json(200, {
        ...((await response.json()) as object),
        state: `e30.${base64(JSON.stringify({ code }))}.c2ln`,
      }),
  ],
] as [string, Parameters<typeof withProof>[2]][])
  fault(
    `the response to a request for a code contains it in ${where}`,
    { trips: ['otp.two-steps'] },
    withProof(ASK, 'code', show),
  )
for (const code of ['000000', '123456', '111111'])
  fault(
    `the code ${code} always signs in`,
    { trips: ['otp.wrong-code'] },
    letsInByCode(({ password }) => password === code),
  )
