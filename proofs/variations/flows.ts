/** The email flows: the responses to their steps, and their other effects. */

import { createHash } from 'node:crypto'
import type { SentEmail } from '../../reference/reference.ts'
import {
  CONFIRMS,
  claimsIn,
  hasAccountToken,
  REQUESTS,
  recordsWhere,
  tokenIn,
} from '../faults/combinators/auth.ts'
import {
  all,
  forgive,
  json,
  type Operations,
  on,
  parsedBody,
  rewriteBody,
  tamperStatus,
  withMoreHeaders,
} from '../faults/combinators/combinators.ts'
import { base64url, hex, rewritesMail, withoutPause, withProof } from '../faults/combinators/emails.ts'
import { fieldRejection, withObject } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { countsTwice, endsWithNewer } from './combinators/counts-twice.ts'
import { flows, nearOperation } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('flows')

const ownRecord = ['verification.own-record', 'password-reset.own-record', 'email-change.own-record']
const options = { because: 'mail.flows', near: flows }

/** Successful responses have this status and body. */
const responses = (operations: typeof REQUESTS | typeof CONFIRMS, status: number, body: unknown) =>
  on(operations, async (request, next) => {
    const response = await next(request)
    return response.ok ? json(status, body) : response
  })

for (const status of [200, 202])
  variation(`requests for emails return ${status}`, options, responses(REQUESTS, status, { sent: true }))
variation(
  'requests for emails return an identifier, the time and a link to their state',
  options,
  on(REQUESTS, async (request, next) => {
    const response = await next(request)
    const id = hex(16)()
    const sentAt = '2026-01-02 03:04:05.678Z'
    return response.ok
      ? json(202, { id, sentAt, url: `https://example.com/emails/${id}`, wait: 12000 })
      : response
  }),
)
for (const status of [200, 201, 202])
  variation(`confirmations return ${status}`, options, responses(CONFIRMS, status, { done: true }))
for (const status of [401, 403, 404, 410, 422])
  variation(`an invalid proof is rejected with ${status}`, options, tamperStatus(CONFIRMS, 400, status))
variation(
  'an invalid proof returns 200 and has no effect',
  options,
  on(CONFIRMS, async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(200, { done: false })
  }),
)

variation(
  'every response sets a cookie and names the request, each with a long random value',
  { because: 'mail.flows', near: [...flows, 'mfa.first-step-no-token', 'otp.two-steps', 'wire.no-secrets'] },
  on('*', async (request, next) =>
    withMoreHeaders(await next(request), {
      'set-cookie': `visitor=${base64url(40)()}; Path=/; HttpOnly`,
      'x-request-id': hex(16)(),
      link: '</api/v1>; rel="help"',
    }),
  ),
)
variation(
  'what proves an email change also says who asked for it, and only the address is in the response',
  options,
  withProof(REQUESTS, 'token', (_response, proof) =>
    json(200, { to: claimsIn(proof)?.email ?? null, state: proof.split('.')[1] }),
  ),
)
variation('the responses to valid and invalid proofs are the same', options, forgive(CONFIRMS, 400, 204))

variation('three invalid proofs block confirmations until the next email', options, (tools) => {
  let wrong = 0
  return on([...REQUESTS, ...CONFIRMS], async (request, next, { operation }) => {
    if (REQUESTS.some((each) => each === operation)) {
      wrong = 0
      return next(request)
    }
    if (wrong >= 3) return fieldRejection(420)
    const response = await next(request)
    if (response.ok) wrong = 0
    else wrong += 1
    return response
  })(tools)
})

variation(
  'an email change requires the password in the request',
  options,
  on('requestEmailChange', async (request, next) => {
    const { password, ...body } = (await parsedBody(request)) ?? {}
    return password === undefined ? fieldRejection(422) : next(withObject(request, body))
  }),
)
variation(
  'the steps have other names',
  {
    ...options,
    target: (target) => ({
      ...target,
      binding: {
        ...target.binding,
        'flow.email': 'address',
        'flow.token': 'proof',
        'passwordReset.password': 'new_password',
        'passwordReset.passwordConfirm': 'new_password_again',
        'emailChange.newEmail': 'new_address',
      },
    }),
  },
  rewriteBody([...REQUESTS, ...CONFIRMS], (body) => {
    const names: Readonly<Record<string, string>> = {
      address: 'email',
      proof: 'token',
      new_password: 'password',
      new_password_again: 'passwordConfirm',
      new_address: 'newEmail',
    }
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [names[key] ?? key, value]))
  }),
)
variation(
  'every email follows another one to the sender',
  options,
  rewritesMail((mail) => [{ ...mail, to: 'archive@example.com', text: 'A copy.', html: '' }, mail]),
)
variation(
  'a proof with spaces around it is accepted',
  options,
  on(CONFIRMS, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const { token } = body
    return next(withObject(request, { ...body, token: typeof token === 'string' ? token.trim() : token }))
  }),
)

for (const confirm of CONFIRMS) {
  const near = [...nearOperation[confirm], ...ownRecord]
  variation(`${confirm} accepts a proof twice`, { ...options, near }, countsTwice(confirm))
  variation(`${confirm} accepts only the newest proof`, { ...options, near }, endsWithNewer(confirm))
}

variation(
  'the address of an account is changed once a day',
  { ...options, near: ['email-change.confirms', 'email-change.identity-follows', 'auth.sequences'] },
  (tools) => {
    const changed = new Set<unknown>()
    return on(['requestEmailChange', 'confirmEmailChange'], async (request, next, { operation }) => {
      const { token } = (await parsedBody(request)) ?? {}
      const id = claimsIn(operation === 'confirmEmailChange' ? String(token) : tokenIn(request))?.id
      if (changed.has(id)) return fieldRejection(422)
      const response = await next(request)
      if (response.ok && operation === 'confirmEmailChange') changed.add(id)
      return response
    })(tools)
  },
)

for (const confirm of CONFIRMS)
  variation(
    `${confirm} accepts only the newest proof, and returns 204 for any`,
    { ...options, near: [...nearOperation[confirm], ...ownRecord] },
    all(forgive(confirm, 400, 204), withoutPause, endsWithNewer(confirm)),
  )
variation(
  'a verification is requested by the account itself',
  { ...options, near: [...flows, 'auth.sequences', 'token.other-kind'] },
  on('requestVerification', async (request, next) =>
    hasAccountToken(request) ? next(request) : fieldRejection(401),
  ),
)
variation(
  'only the account itself confirms its address, with its session',
  {
    ...options,
    near: [
      ...flows,
      'auth.sequences',
      'token.other-kind',
      'derived.confirm-verification',
      'derived.confirm-email-change',
    ],
  },
  on(['confirmVerification', 'confirmEmailChange'], async (request, next) => {
    if (!hasAccountToken(request)) return fieldRejection(401)
    const { token } = (await parsedBody(request)) ?? {}
    const proof = claimsIn(String(token))
    const isOwner = proof === undefined || proof.id === claimsIn(tokenIn(request))?.id
    return isOwner ? next(request) : fieldRejection(403)
  }),
)
variation(
  'a verification goes to the address of the session, and rejects one in the body',
  { ...options, near: [...flows, 'auth.sequences', 'token.other-kind'] },
  on('requestVerification', async (request, next, { table = '' }, tools) => {
    const body = (await parsedBody(request)) ?? {}
    if ('email' in body) return json(422, { detail: 'There is no field "email".' })
    if (!hasAccountToken(request)) return fieldRejection(401)
    const [account] = await recordsWhere(tools, request, table, `id = "${claimsIn(tokenIn(request))?.id}"`)
    return next(withObject(request, { email: account?.email }))
  }),
)
const takesPasswordOnce = on('confirmPasswordReset', async (request, next) => {
  const body = (await parsedBody(request)) ?? {}
  return 'passwordConfirm' in body
    ? json(422, { message: 'Unknown field passwordConfirm.' })
    : next(withObject(request, { ...body, passwordConfirm: body.password }))
})
variation('a reset takes the password once, and rejects a key for a second one', options, takesPasswordOnce)
variation(
  'a reset takes the password once, as the target file says',
  {
    ...options,
    target: (target) => ({
      ...target,
      binding: { ...target.binding, 'passwordReset.passwordConfirm': '' },
    }),
  },
  takesPasswordOnce,
)

/** The second step takes a second key, whose value depends on the email with the proof. */
function takesTogether(
  key: string,
  reject: () => Response,
  change: (mail: SentEmail) => { value: string; mail?: Partial<SentEmail> },
  confirms: Operations = CONFIRMS,
): (tools: FaultTools) => Middleware {
  const values = new Map<unknown, string>()
  return all(
    rewritesMail((mail) => {
      if (mail.token === undefined) return mail
      const changed = change(mail)
      values.set(mail.token, changed.value)
      return { ...mail, ...changed.mail }
    }),
    on(confirms, async (request, next) => {
      const { [key]: value, ...body } = (await parsedBody(request)) ?? {}
      const right = values.get(body.token)
      return value === undefined || (right !== undefined && value !== right)
        ? reject()
        : next(withObject(request, body))
    }),
  )
}
variation(
  'the steps take the address of the email with the proof',
  options,
  takesTogether(
    'email',
    () => json(422, { detail: [{ loc: ['body', 'email'], msg: 'Field required', type: 'missing' }] }),
    ({ to }) => ({ value: to }),
  ),
)
variation(
  'the steps take the address of the email with the proof, and do not say so',
  options,
  takesTogether(
    'email',
    () => json(400, { message: 'The code is invalid or has expired.' }),
    ({ to }) => ({ value: to }),
  ),
)
variation(
  'a proof with the address or the session of another account is rejected',
  { ...options, near: ['password-reset.own-record', 'email-change.own-record'] },
  on(['confirmPasswordReset', 'confirmEmailChange'], async (request, next) => {
    const { token, email } = (await parsedBody(request)) ?? {}
    const [owner, sender] = [claimsIn(String(token)), claimsIn(tokenIn(request))]
    const isOther =
      (email !== undefined && email !== owner?.email) || (sender !== undefined && sender.id !== owner?.id)
    return isOther ? fieldRejection(403) : next(request)
  }),
)
variation(
  'a change takes the new address with the proof again, and does not say so',
  options,
  takesTogether(
    'newEmail',
    () => json(400, { error: 'Missing property.' }),
    ({ to }) => ({ value: to }),
    'confirmEmailChange',
  ),
)
variation(
  'the steps take another parameter of the link with the proof',
  options,
  takesTogether(
    'userId',
    () => json(400, { error: 'userId is required' }),
    ({ to, token = '' }) => {
      const value = createHash('sha256').update(to).digest('hex').slice(0, 20)
      const text = `https://app.example.com/confirm?userId=${value}&secret=${token}`
      return { value, mail: { text, html: '' } }
    },
  ),
)
/** As with Supabase: each address gets a proof, and the second one that is sent back changes the address. */
const confirmedByBoth: (tools: FaultTools) => Middleware = (tools) => {
  const proofs = new Map<unknown, { real: string; side: 'old' | 'new'; seen: Set<string> }>()
  const write = rewritesMail((mail) => {
    const { token: real, kind } = mail
    const { email: old } = claimsIn(real ?? '') ?? {}
    if (kind !== 'email-change' || real === undefined || typeof old !== 'string') return mail
    const seen = new Set<string>()
    const other = hex(24)()
    proofs.set(real, { real, side: 'new', seen })
    proofs.set(other, { real, side: 'old', seen })
    const text = `Confirm the change: https://app.example.com/confirm?token=${other}`
    return [mail, { ...mail, to: old, token: other, text, html: '' }]
  })
  const confirm = on('confirmEmailChange', async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const proof = proofs.get(body.token)
    if (proof === undefined) return next(withObject(request, body))
    proof.seen.add(proof.side)
    return proof.seen.size === 2
      ? next(withObject(request, { ...body, token: proof.real }))
      : json(200, { msg: 'Confirm the link that was sent to the other address, too.' })
  })
  return all(write, confirm)(tools)
}
variation(
  'both addresses confirm a change of address',
  { ...options, near: [...flows, 'auth.sequences', 'token.other-kind'] },
  confirmedByBoth,
)
variation(
  'only verified accounts reset their passwords',
  { ...options, near: [...flows, 'auth.sequences', 'token.other-kind'] },
  on('requestPasswordReset', async (request, next, { table = '' }, tools) => {
    const { email } = (await parsedBody(request)) ?? {}
    const [account] = await recordsWhere(tools, request, table, `email = ${JSON.stringify(String(email))}`)
    return account !== undefined && account.verified !== true
      ? json(400, { message: 'There is no verified email address.' })
      : next(request)
  }),
)
/** As SymfonyCasts signs its links. */
const signedLinks: (tools: FaultTools) => Middleware = (tools) => {
  const links = new Map<unknown, Record<string, string>>()
  const sign = rewritesMail((mail) => {
    if (mail.token === undefined) return mail
    const signature = createHash('sha256').update(`signed ${mail.token}`).digest('base64url')
    const parts = { expires: '4102444800', signature }
    links.set(mail.token, parts)
    const query = new URLSearchParams({ ...parts, token: mail.token })
    return { ...mail, text: `Please confirm: https://app.example.com/verify-email?${query}`, html: '' }
  })
  const verify = on(CONFIRMS, async (request, next) => {
    const { expires, signature, ...body } = (await parsedBody(request)) ?? {}
    const sent = { expires, signature }
    const missing = Object.entries(sent).find(([, value]) => value === undefined)
    if (missing !== undefined) {
      const violation = { propertyPath: missing[0], message: 'This value should not be blank.' }
      return json(422, { title: 'Validation Failed', status: 422, violations: [violation] })
    }
    const right = links.get(body.token)
    const isRight = right?.expires === expires && right?.signature === signature
    return isRight ? next(withObject(request, body)) : json(422, { title: 'The link is invalid.' })
  })
  return all(sign, verify)(tools)
}
variation('links are signed, and a rejection names one missing part at a time', options, signedLinks)
for (const [where, path] of [
  ['path', 'activate'],
  ['fragment', '#/activate'],
] as const)
  variation(
    `the steps take the part of the ${where} before the proof with it`,
    options,
    takesTogether(
      'uid',
      () => json(400, { uid: ['This field is required.'] }),
      ({ to, token = '' }) => {
        const value = Buffer.from(to).toString('base64url')
        const text = `Please go to the following page:\n\nhttps://app.example.com/${path}/${value}/${token}/\n`
        return { value, mail: { text, html: '' } }
      },
    ),
  )
