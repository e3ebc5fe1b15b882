/** Defects of verification, password reset and change of address. */

import { setTimeout as wait } from 'node:timers/promises'
import type { OperationId } from '../../spec/vocabulary.ts'
import {
  andThen,
  believes,
  CONFIRMS,
  changeRecord,
  claimsIn,
  emails,
  hasAddress,
  letIn,
  onceAnAccount,
  REQUESTS,
  recordsWhere,
  tellsUnknown,
  tokenIn,
} from './combinators/auth.ts'
import {
  all,
  another,
  forgive,
  type JsonValue,
  json,
  listItems,
  type Match,
  on,
  parsedBody,
  swallow,
  tamperStatus,
  underIdentifier,
} from './combinators/combinators.ts'
import { revealsProofs, rewritesMail, withoutPause } from './combinators/emails.ts'
import { fieldRejection, withObject } from './combinators/field.ts'
import { type FaultTools, fault, type Middleware, type Next } from './fault.ts'

const flows = ['verification', 'password-reset', 'email-change']
const each = (what: string, of: readonly string[] = flows) => of.map((flow) => `${flow}.${what}`)

fault(
  'email flows succeed for every table',
  { trips: ['email-flow.no-auth-table'] },
  forgive([...REQUESTS, ...CONFIRMS], 404, 204),
)
fault(
  'any token confirms a verification',
  {
    trips: [
      'verification.proof-required',
      'flow.made-up',
      'verification.invalid-token',
      'verification.email-ends',
      'verification.expires',
      'verification.token-missing',
      'verification.other-table',
      'flow.own-step-only',
      'token.password-ends-mail',
    ],
  },
  believes('requestVerification', 'confirmVerification', () => ({ verified: true })),
)
fault(
  'any token confirms a password reset',
  {
    trips: [
      'password-reset.proof-required',
      'flow.made-up',
      'password-reset.invalid-token',
      'password-reset.invalid-password',
      'password-reset.once',
      'password-reset.expires',
      'password-reset.token-missing',
      'password-reset.other-table',
      'flow.own-step-only',
    ],
  },
  believes('requestPasswordReset', 'confirmPasswordReset', (_asked, { password, passwordConfirm }) => ({
    password,
    passwordConfirm,
  })),
)
fault(
  'any token confirms an email change',
  {
    trips: [
      'email-change.proof-required',
      'flow.made-up',
      'email-change.invalid-token',
      'email-change.confirm-missing',
      'email-change.confirm-password',
      'email-change.once',
      'email-change.expires',
      'email-change.other-table',
      'email-change.taken-meanwhile',
      'flow.own-step-only',
    ],
  },
  believes('requestEmailChange', 'confirmEmailChange', ({ newEmail }) => ({ email: newEmail })),
)
fault(
  'a verification has no effect',
  { trips: ['verification.confirms', 'verification.confirm-status'] },
  swallow('confirmVerification', 204),
)
fault(
  'a password reset has no effect',
  {
    trips: ['password-reset.confirms', 'password-reset.ends-sessions', 'password-reset.verifies'],
  },
  swallow('confirmPasswordReset', 204),
)
fault(
  'an email change has no effect',
  {
    trips: ['email-change.confirms', 'email-change.ends-sessions', 'email-change.verifies'],
  },
  swallow('confirmEmailChange', 204),
)
fault('requests for emails return 202', { trips: each('request-status') }, tamperStatus(REQUESTS, 204, 202))
fault('confirmations return 202', { trips: each('confirm-status') }, tamperStatus(CONFIRMS, 204, 202))
fault(
  'invalid confirmations are rejected with 403',
  { trips: [...each('invalid-token'), ...each('token-missing', ['verification', 'password-reset'])] },
  tamperStatus(CONFIRMS, 400, 403),
)
fault(
  'requests for emails accept any string',
  { trips: [...each('request-invalid'), 'password-reset.off'] },
  forgive(REQUESTS, 400, 204),
)
fault(
  'requests for emails reveal unknown addresses',
  {
    trips: [
      'enumeration.verification',
      'enumeration.password-reset',
      'verification.unknown-silent',
      'password-reset.unknown-silent',
    ],
  },
  tellsUnknown(['requestVerification', 'requestPasswordReset'], 'email', 400),
)
fault(
  'every request sends an email',
  {
    trips: [
      'verification.unknown-silent',
      'password-reset.unknown-silent',
      'verification.throttled',
      'password-reset.throttled',
      'verification.verified-silent',
    ],
  },
  on(['requestVerification', 'requestPasswordReset'], async (request, next, _match, tools) => {
    const { email } = (await parsedBody(request)) ?? {}
    const { outbox } = tools.reference.mail
    const own = () => outbox.findLast(({ to, kind }) => to === email && kind !== 'otp')
    const last = own()
    const response = await next(request.clone())
    // After the one with the proof, where there is one: what comes first is read. The copy behind the socket may be gone
    // by then.
    const emailsLater = async () => {
      for (let turn = 0; turn < 8 && own() === last; turn += 1) await wait(10)
      await emails(tools, email, 'Nothing to confirm')
    }
    emailsLater().catch(() => {})
    return response
  }),
)
fault(
  'an email change notifies everyone concerned',
  { trips: ['email-change.to-new-address', 'email-change.taken'] },
  on('requestEmailChange', async (request, next, { table = '' }, tools) => {
    const { newEmail } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const [owner] = await recordsWhere(tools, request, table, `id = "${claimsIn(tokenIn(request))?.id}"`)
    await emails(tools, owner?.email, 'Someone wants another address')
    if (await hasAddress(tools, request, table, newEmail))
      await emails(tools, newEmail, 'Someone wants your address')
    return response
  }),
)
fault(
  'the response reveals that an address is taken',
  { trips: ['email-change.taken'] },
  on('requestEmailChange', async (request, next, { table = '' }, tools) => {
    const { newEmail } = (await parsedBody(request)) ?? {}
    return (await hasAddress(tools, request, table, newEmail)) ? fieldRejection(400) : next(request)
  }),
)
fault(
  'a request for a verification verifies the account',
  { trips: ['flow.request-changes-nothing', 'verification.proof-required'] },
  on('requestVerification', async (request, next, { table = '' }, tools) => {
    const { email } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const [record] = await recordsWhere(tools, request, table, `email = "${email}"`)
    if (record !== undefined) await changeRecord(tools, request, table, record.id, { verified: true })
    return response
  }),
)
fault(
  'a request for another address changes it at once, and sends no email',
  { trips: ['flow.request-changes-nothing'] },
  on('requestEmailChange', async (request, next, { table = '' }, tools) => {
    const { newEmail } = (await parsedBody(request)) ?? {}
    const id = claimsIn(tokenIn(request))?.id
    if (typeof newEmail !== 'string' || typeof id !== 'string') return next(request)
    const response = await changeRecord(tools, request, table, id, { email: newEmail })
    return response.ok ? json(202, {}) : response
  }),
)
fault(
  'a verification ends sessions',
  { trips: ['verification.keeps-sessions'] },
  andThen('confirmVerification', (_body, { token }) => claimsIn(String(token))?.id as string, {
    'tokenKey:autogenerate': '',
  }),
)
fault(
  'a verification also verifies another record',
  { trips: ['verification.own-record'] },
  on('confirmVerification', async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    const [record] = await recordsWhere(tools, request, table, 'verified = false')
    if (record !== undefined) await changeRecord(tools, request, table, record.id, { verified: true })
    return response
  }),
)
/** After a successful second step, does the same to every other account of the table. */
function toEverybody(
  confirming: 'confirmPasswordReset' | 'confirmEmailChange',
  change: (sent: JsonValue, id: string) => JsonValue,
) {
  return on(confirming, async (request, next, { table = '' }, tools) => {
    const sent = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const own = claimsIn(String(sent.token))?.id
    if (!response.ok) return response
    const records = `${tools.prefix}/collections/${table}/records`
    const list = await tools.asSuperuser(another(request, 'GET', `${records}?perPage=500`))
    for (const { id } of listItems((await list.json()) as JsonValue))
      if (id !== own)
        await tools.asSuperuser(another(request, 'PATCH', `${records}/${id}`, change(sent, String(id))))
    return response
  })
}
fault(
  'a reset sets the password of every account',
  { trips: ['password-reset.own-record'] },
  toEverybody('confirmPasswordReset', ({ password, passwordConfirm }) => ({ password, passwordConfirm })),
)
fault(
  'a change of address changes every address',
  { trips: ['email-change.own-record'] },
  toEverybody('confirmEmailChange', (_sent, id) => ({ email: `${id}@example.org` })),
)
for (const [operation, id] of [
  ['confirmVerification', 'verification.confirms'],
  ['confirmPasswordReset', 'password-reset.confirms'],
  ['confirmEmailChange', 'email-change.confirms'],
] as const)
  fault(
    `${operation} has no effect in all tables but one`,
    { trips: [id] },
    on(operation, async (request, next, { table = '' }) =>
      /conf_members/.test(table) ? next(request) : new Response(null, { status: 204 }),
    ),
  )

/** The same defect in one of two auth tables. */
const inStaff = (make: (tools: FaultTools) => Middleware) => (tools: FaultTools) => {
  const faulty = make(tools)
  return on('*', (request, next, { table = '' }) =>
    table === 'conf_staff' ? faulty(request, next) : next(request),
  )(tools)
}
const anyTokenConfirms: [string, ...Parameters<typeof believes>][] = [
  ['verification', 'requestVerification', 'confirmVerification', () => ({ verified: true })],
  [
    'password-reset',
    'requestPasswordReset',
    'confirmPasswordReset',
    (_asked, { password, passwordConfirm }) => ({ password, passwordConfirm }),
  ],
  ['email-change', 'requestEmailChange', 'confirmEmailChange', ({ newEmail }) => ({ email: newEmail })],
]
for (const [flow, request, confirm, change] of anyTokenConfirms)
  fault(
    `in another auth table, any token confirms: ${flow}`,
    { trips: [`${flow}.proof-required`] },
    inStaff(believes(request, confirm, change)),
  )
for (const [which, elsewhere] of [
  ['another table', 'conf_staff'],
  ['the table with two factors', 'conf_mfa'],
] as const)
  fault(
    `a reset also sets the password of the account with the same address in ${which}`,
    { trips: ['password-reset.own-record'] },
    on('confirmPasswordReset', async (request, next, { table = '' }, tools) => {
      const { token, password } = (await parsedBody(request)) ?? {}
      const other = table === 'conf_members' ? elsewhere : 'conf_members'
      const [record] = await recordsWhere(
        tools,
        request,
        other,
        `email = "${claimsIn(String(token))?.email}"`,
      )
      const response = await next(request.clone())
      const body = { password, passwordConfirm: password }
      if (response.ok && record !== undefined) await changeRecord(tools, request, other, record.id, body)
      return response
    }),
  )
fault(
  'a second change of address has no effect',
  { trips: ['email-change.confirms'] },
  onceAnAccount(
    'confirmEmailChange',
    async (request) => claimsIn(String((await parsedBody(request))?.token))?.id,
  ),
)
for (const [flow, request, confirm, change] of anyTokenConfirms)
  fault(
    `under the identifier of a table, any token confirms: ${flow}`,
    { trips: [`${flow}.proof-required`] },
    underIdentifier([confirm], believes(request, confirm, change)),
  )
/** What happens to an account that a flow has changed. */
const afterFlow = (
  confirming: 'confirmVerification' | 'confirmPasswordReset' | 'confirmEmailChange',
  operation: OperationId,
  handle: (
    request: Request,
    next: Next,
    isChanged: (id: unknown) => boolean,
    tools: FaultTools,
    match: Match,
  ) => Promise<Response>,
) => {
  return (tools: FaultTools): Middleware => {
    const changed = new Set<unknown>()
    return on([confirming, operation], async (request, next, match) => {
      if (match.operation === operation) return handle(request, next, (id) => changed.has(id), tools, match)
      const { token } = (await parsedBody(request)) ?? {}
      const response = await next(request)
      if (response.ok) changed.add(claimsIn(String(token))?.id)
      return response
    })(tools)
  }
}
fault(
  'after a change of address, any password signs in',
  { trips: ['email-change.identity-follows'] },
  afterFlow('confirmEmailChange', 'authWithPassword', async (request, next, isChanged, tools, match) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    const { table = '' } = match
    const [record] = await recordsWhere(tools, request, table, `email = "${identity}"`)
    if (response.ok || record === undefined || !isChanged(record.id)) return response
    return (await letIn(tools, request, table, `id = "${record.id}"`)) ?? response
  }),
)
for (const [flow, confirming] of [
  ['a reset', 'confirmPasswordReset'],
  ['a change of address', 'confirmEmailChange'],
] as const)
  fault(
    `after ${flow}, codes do not sign in`,
    { trips: ['otp.sign-in'] },
    afterFlow(confirming, 'authWithOtp', async (request, next, isChanged) => {
      const response = await next(request)
      if (!response.ok) return response
      const { record } = (await response.clone().json()) as { record?: { id?: unknown } }
      return isChanged(record?.id) ? fieldRejection(400) : response
    }),
  )
fault(
  'an update by an account ends its verification',
  { trips: ['verification.confirms'] },
  afterFlow('confirmVerification', 'updateRecord', async (request, next, isChanged, tools, { id }) => {
    const response = await next(request.clone())
    if (response.ok && isChanged(id) && claimsIn(tokenIn(request))?.id === id)
      await tools.asSuperuser(another(request, 'PATCH', new URL(request.url).pathname, { verified: false }))
    return response
  }),
)
fault(
  'in another auth table, the password from before a reset signs in',
  { trips: ['password-reset.old-ends'] },
  inStaff(
    afterFlow('confirmPasswordReset', 'authWithPassword', async (request, next, isChanged, tools) => {
      const { identity } = (await parsedBody(request)) ?? {}
      const response = await next(request)
      const [record] = await recordsWhere(tools, request, 'conf_staff', `email = "${identity}"`)
      if (response.ok || record === undefined || !isChanged(record.id)) return response
      return (await letIn(tools, request, 'conf_staff', `id = "${record.id}"`)) ?? response
    }),
  ),
)

const isOfSession = (token: string) => claimsIn(token)?.type === 'auth'
const notAProof: [what: string, isBelieved: (token: string) => boolean][] = [
  ['a session token', (token) => isOfSession(token) && claimsIn(token)?.refreshable === true],
  ['the token of an impersonation', (token) => isOfSession(token) && claimsIn(token)?.refreshable === false],
  ['the identifier of a code', (token) => /^[a-z0-9]{15}$/.test(token)],
]
for (const [what, isBelieved] of notAProof) {
  fault(
    `${what} confirms a verification`,
    { trips: ['verification.proof-required'] },
    believes('requestVerification', 'confirmVerification', () => ({ verified: true }), isBelieved),
  )
  fault(
    `${what} confirms a password reset`,
    { trips: ['password-reset.proof-required'] },
    believes(
      'requestPasswordReset',
      'confirmPasswordReset',
      (_asked, { password, passwordConfirm }) => ({ password, passwordConfirm }),
      isBelieved,
    ),
  )
  fault(
    `${what} confirms an email change`,
    { trips: ['email-change.proof-required'] },
    believes('requestEmailChange', 'confirmEmailChange', ({ newEmail }) => ({ email: newEmail }), isBelieved),
  )
}
const comparesBeginnings = on(CONFIRMS, async (request, next, _match, tools) => {
  const sent = (await parsedBody(request)) ?? {}
  const token = String(sent.token)
  const beginning = token.slice(0, -8)
  const text = tools.reference.mail.outbox.map((mail) => mail.text).find((one) => one.includes(beginning))
  if (text === undefined || beginning.length < 40) return next(request)
  const at = text.indexOf(beginning)
  return next(withObject(request, { ...sent, token: text.slice(at, at + token.length) }))
})
fault(
  'the last characters of a proof are not compared',
  { trips: each('proof-required') },
  comparesBeginnings,
)

/** An email in which another link looks more like the one with the proof. */
const withOtherLink = rewritesMail((mail) => {
  const other = `https://app.example.com/view?token=${'4f2a9c1b'.repeat(40)}`
  const text = `View online: ${other}\nGo on: https://app.example.com/go?k=${mail.token}`
  return mail.token === undefined ? mail : { ...mail, html: '', text }
})
fault(
  'the last characters of a proof are not compared, and its email has another link',
  { trips: each('proof-required') },
  all(withOtherLink, comparesBeginnings),
)
fault(
  'the proof of a verification resets the password, and its email has another link',
  { trips: ['flow.own-step-only'] },
  all(
    withOtherLink,
    on('confirmPasswordReset', async (request, next, { table = '' }, tools) => {
      const { token, password } = (await parsedBody(request)) ?? {}
      const { id, type } = claimsIn(String(token)) ?? {}
      const response = await next(request.clone())
      if (response.ok || type !== 'verification') return response
      await changeRecord(tools, request, table, id, { password, passwordConfirm: password })
      return json(204)
    }),
  ),
)
fault(
  'a reset takes the address with the proof, and also takes the proof of a verification',
  { trips: ['flow.own-step-only'], unclaimed: true },
  on('confirmPasswordReset', async (request, next, { table = '' }, tools) => {
    const { email, ...body } = (await parsedBody(request)) ?? {}
    const { id, type, email: owner } = claimsIn(String(body.token)) ?? {}
    if (email !== owner) return json(400, { error: 'The code is wrong or has expired.' })
    if (type !== 'verification') return next(withObject(request, body))
    const { password } = body
    await changeRecord(tools, request, table, id, { password, passwordConfirm: password })
    return json(204)
  }),
)
/** What a step does for the account whose address is sent with any proof at all. */
const takesAnyProof = (
  operation: OperationId,
  change: (sent: JsonValue) => JsonValue,
): ((tools: FaultTools) => Middleware) =>
  on(operation, async (request, next, { table = '' }, tools) => {
    const { email, ...sent } = (await parsedBody(request)) ?? {}
    const [account] =
      typeof email === 'string' ? await recordsWhere(tools, request, table, `email = "${email}"`) : []
    if (account === undefined) return json(400, { error: 'The code is wrong or has expired.' })
    return (await changeRecord(tools, request, table, account.id, change(sent))).ok
      ? json(204)
      : next(request)
  })
fault(
  'a verification takes any proof with the address',
  {
    trips: ['verification.proof-required', 'flow.made-up', 'flow.own-step-only'],
    unclaimed: true,
  },
  takesAnyProof('confirmVerification', () => ({ verified: true })),
)
fault(
  'a reset takes any proof with the address',
  {
    trips: ['password-reset.proof-required', 'flow.made-up', 'flow.own-step-only'],
    unclaimed: true,
  },
  takesAnyProof('confirmPasswordReset', ({ password }) => ({ password, passwordConfirm: password })),
)

const newerDoesNotCount =
  (rejection: () => Response) =>
  (tools: FaultTools): Middleware => {
    const [asked, dead] = [new Set<string>(), new Set<unknown>()]
    return all(
      withoutPause,
      rewritesMail((mail) => {
        const what = `${mail.kind} ${mail.to}`
        if (asked.has(what)) dead.add(mail.token)
        asked.add(what)
        return mail
      }),
      on(CONFIRMS, async (request, next) =>
        dead.has((await parsedBody(request))?.token) ? rejection() : next(request),
      ),
    )(tools)
  }
fault(
  'a newer proof does not count while an older one may',
  { trips: each('confirms') },
  newerDoesNotCount(() => fieldRejection(400)),
)
fault(
  'a newer proof is accepted without an effect while an older one may count',
  { trips: each('confirms') },
  newerDoesNotCount(() => json(204)),
)

/** The server keeps one address for each account, and not one for each proof. */
fault(
  'the proof of a change confirms the newest address that was asked for',
  { trips: ['email-change.proof-required'] },
  (tools) => {
    const asked = new Map<unknown, unknown>()
    return all(
      withoutPause,
      on('requestEmailChange', async (request, next) => {
        const { newEmail } = (await parsedBody(request)) ?? {}
        const response = await next(request)
        if (response.ok) asked.set(claimsIn(tokenIn(request))?.id, newEmail)
        return response
      }),
      on('confirmEmailChange', async (request, next, { table = '' }) => {
        const { token } = (await parsedBody(request)) ?? {}
        const id = claimsIn(String(token))?.id
        const response = await next(request.clone())
        if (response.ok && asked.has(id))
          await changeRecord(tools, request, table, id, { email: asked.get(id) })
        return response
      }),
    )(tools)
  },
)

for (const [operation, flow] of [
  ['confirmVerification', 'verification'],
  ['confirmPasswordReset', 'password-reset'],
  ['confirmEmailChange', 'email-change'],
] as const)
  fault(`${operation} ends the proofs of all accounts`, { trips: [`${flow}.own-record`] }, (tools) => {
    let open = new Set<unknown>()
    return all(
      rewritesMail((mail) => {
        if (mail.kind === flow) open.add(mail.token)
        return mail
      }),
      on(operation, async (request, next) => {
        const { token } = (await parsedBody(request)) ?? {}
        if (!open.has(token)) return fieldRejection(400)
        const response = await next(request)
        if (response.ok) open = new Set()
        return response
      }),
    )(tools)
  })
fault(
  'the rejection of a wrong proof contains the right ones',
  { trips: each('proof-required') },
  revealsProofs(CONFIRMS, 'token'),
)
fault(
  'the proof of a former address verifies the present one',
  { trips: ['verification.proof-required', 'verification.email-ends'] },
  on('confirmVerification', async (request, next, { table = '' }, tools) => {
    const body = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const { id, email } = claimsIn(String(body.token)) ?? {}
    if (response.status !== 400 || email === undefined) return response
    const [record] = await recordsWhere(tools, request, table, `id = "${id}"`)
    if (record === undefined || record.email === email) return response
    await changeRecord(tools, request, table, id, { verified: true })
    return json(204)
  }),
)
for (const [operation, change] of [
  ['confirmVerification', { name: '' }],
  ['confirmPasswordReset', { name: '' }],
  ['confirmEmailChange', { name: '' }],
  ['confirmPasswordReset', { username: 'changed_by_the_server' }],
] as const)
  fault(
    `${operation} sets ${Object.entries(change).map(([field, value]) => `${field} to "${value}"`)}`,
    { trips: ['update.changes-only-sent'] },
    andThen(operation, (_body, { token }) => claimsIn(String(token))?.id as string, change),
  )

fault(
  'a sign-in by password verifies the account',
  { trips: ['verification.proof-required'] },
  on('authWithPassword', async (request, next, { table = '' }, tools) => {
    const response = await next(request)
    if (!response.ok) return response
    const { record } = (await response.clone().json()) as { record: { id: string } }
    await changeRecord(tools, request, table, record.id, { verified: true })
    return response
  }),
)
fault(
  'a reset sets the password of the account whose address is sent with the proof',
  { trips: ['password-reset.own-record'] },
  on('confirmPasswordReset', async (request, next, { table = '' }, tools) => {
    const { email, password } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    if (!response.ok || email === undefined) return response
    const [record] = await recordsWhere(tools, request, table, `email = "${email}"`)
    const body = { password, passwordConfirm: password }
    if (record !== undefined) await changeRecord(tools, request, table, record.id, body)
    return response
  }),
)
fault(
  'a change of address changes that of the account whose session is sent with the proof',
  { trips: ['email-change.own-record'] },
  on('confirmEmailChange', async (request, next, { table = '' }, tools) => {
    const { token } = (await parsedBody(request)) ?? {}
    const [owner, sender] = [claimsIn(String(token)), claimsIn(tokenIn(request))]
    if (owner === undefined || sender === undefined || owner.id === sender.id) return next(request)
    return changeRecord(tools, request, table, sender.id, { email: owner.newEmail })
  }),
)
fault(
  'a request for another address makes an account unverified',
  { trips: ['flow.request-changes-nothing'] },
  on('requestEmailChange', async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    const id = claimsIn(tokenIn(request))?.id
    if (response.ok && id !== undefined) await changeRecord(tools, request, table, id, { verified: false })
    return response
  }),
)
