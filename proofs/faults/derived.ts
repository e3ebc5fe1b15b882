/** Defects that show only where one part of a request is not what the description says. */

import type { OperationId } from '../../spec/vocabulary.ts'
import { type CONFIRMS, changeRecord, claimsIn, letIn, recordsWhere, tokenIn } from './combinators/auth.ts'
import { resultsOf } from './combinators/batch.ts'
import {
  another,
  forgive,
  type JsonValue,
  json,
  type Operations,
  on,
  parsedBody,
  tamper,
} from './combinators/combinators.ts'
import { fieldRejection } from './combinators/field.ts'
import { type FaultTools, fault } from './fault.ts'

/** What `derived.*` asks of every response, for the operations that only read or ask. */
const explained: Readonly<Partial<Record<OperationId, string>>> = {
  listRecords: 'derived.list-records',
  viewRecord: 'derived.view-record',
  listAuthMethods: 'derived.list-auth-methods',
  authWithOAuth2: 'derived.auth-with-oauth2',
  requestOtp: 'derived.request-otp',
  authWithOtp: 'derived.auth-with-otp',
  requestVerification: 'derived.request-verification',
  requestPasswordReset: 'derived.request-password-reset',
}

for (const [operation, id] of Object.entries(explained))
  fault(
    `a rejected ${operation} returns plain text`,
    { trips: [id] },
    on(operation as OperationId, async (request, next) => {
      const response = await next(request)
      return response.status < 400 ? response : new Response('Please try again.', { status: response.status })
    }),
  )

/** Rejected requests are carried out anyway, as far as possible. */
function doneAlthoughRejected(
  operations: Operations,
  again: (sent: JsonValue, request: Request, tools: FaultTools) => Request | undefined,
) {
  return on(operations, async (request, next, _match, tools) => {
    const sent = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const instead = response.status === 400 ? again(sent, request, tools) : undefined
    if (instead !== undefined) await (await next(instead)).arrayBuffer()
    return response
  })
}

const pathOf = ({ url }: Request) => new URL(url).pathname
/** The strings of a body by which a record is known. */
const marksIn = ({ text, editor, auto, notdomain, title }: JsonValue) => ({
  text,
  editor,
  auto,
  notdomain,
  title,
})

fault(
  'a rejected create leaves a record with the fields that were right',
  { trips: ['derived.create-record'] },
  doneAlthoughRejected('createRecord', (sent, request) =>
    another(request, 'POST', pathOf(request), marksIn(sent)),
  ),
)
fault(
  'a rejected update stores the fields that were right',
  { trips: ['derived.update-record'] },
  doneAlthoughRejected('updateRecord', (sent, request) =>
    another(request, 'PATCH', pathOf(request), marksIn(sent)),
  ),
)
fault(
  'a delete with a body is rejected, but carried out',
  { trips: ['derived.delete-record'] },
  on('deleteRecord', async (request, next) => {
    const text = await request.clone().text()
    const response = await next(request)
    return text === '' ? response : fieldRejection(400)
  }),
)
fault(
  'the first write of a rejected batch stays',
  { trips: ['derived.batch'] },
  on('batch', async (request, next) => {
    const [first] = resultsOf(await request.clone().text())
    const response = await next(request.clone())
    if (response.status === 400 && first?.method === 'POST' && typeof first.url === 'string')
      await (await next(another(request, 'POST', first.url, first.body))).arrayBuffer()
    return response
  }),
)
fault(
  'a sign-in with an identity or a password of another type returns a page',
  { trips: ['derived.auth-with-password'] },
  on('authWithPassword', async (request, next) => {
    const { identity, password } = (await parsedBody(request)) ?? {}
    const isOfOtherType = [identity, password].some((each) => each !== undefined && typeof each !== 'string')
    return isOfOtherType ? new Response('<h1>Bad Request</h1>', { status: 400 }) : next(request)
  }),
)
fault(
  'a refresh with a wrong parameter, header or body returns half a session',
  { trips: ['derived.auth-refresh'] },
  on('authRefresh', async (request, next) => {
    const text = await request.clone().text()
    const response = await next(request)
    const isPlain = text === '' && !request.url.includes('?')
    return isPlain ? response : new Response('{"token":', { status: response.status })
  }),
)
fault(
  'an impersonation with an invalid duration returns plain text',
  { trips: ['derived.impersonate'] },
  on('impersonate', async (request, next) => {
    const { duration } = (await parsedBody(request)) ?? {}
    return typeof duration === 'number' ? next(request) : new Response('seconds?', { status: 500 })
  }),
)

/** Changes the newest account of the table after a request that was rejected. */
const changesNewest = (operation: OperationId, change: JsonValue) =>
  on(operation, async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    if (response.status >= 400 && response.status < 500) await changeNewest(tools, request, table, change)
    return response
  })

async function changeNewest(
  tools: FaultTools,
  request: Request,
  table: string,
  change: JsonValue,
): Promise<void> {
  const [record] = await recordsWhere(tools, request, table, 'id != ""')
  await changeRecord(tools, request, table, record?.id, change)
}

const verified: JsonValue = { verified: true }
const reset: JsonValue = { password: 'a password of its own', passwordConfirm: 'a password of its own' }

fault(
  'a rejected confirmation verifies the newest account',
  { trips: ['derived.confirm-verification'] },
  changesNewest('confirmVerification', verified),
)
fault(
  'a rejected reset sets a password',
  { trips: ['derived.confirm-password-reset'] },
  changesNewest('confirmPasswordReset', reset),
)
fault(
  'a rejected request for an email change verifies the newest account',
  { trips: ['derived.request-email-change'] },
  changesNewest('requestEmailChange', verified),
)
fault(
  'a rejected confirmation of an email change verifies the newest account',
  { trips: ['derived.confirm-email-change'] },
  changesNewest('confirmEmailChange', verified),
)

/** Signs in the newest account where a value is not a string. */
const believesOtherTypes = (operation: OperationId, key: string) =>
  on(operation, async (request, next, { table = '' }, tools) => {
    const body = await parsedBody(request)
    if (body === undefined || typeof body[key] === 'string') return next(request)
    return (await letIn(tools, request, table, 'id != ""')) ?? next(request)
  })

fault(
  'a password that is not a string is not compared',
  { trips: ['derived.password-proof'] },
  believesOtherTypes('authWithPassword', 'password'),
)
fault(
  'a one-time code that is not a string is not compared',
  { trips: ['derived.otp-proof'] },
  believesOtherTypes('authWithOtp', 'password'),
)
fault(
  'a code of a provider that is not a string is not exchanged',
  { trips: ['derived.oauth2-proof'] },
  believesOtherTypes('authWithOAuth2', 'code'),
)
fault(
  'a refresh accepts another authorization scheme',
  { trips: ['derived.refresh-proof'] },
  on('authRefresh', async (request, next, { table = '' }, tools) =>
    /^basic/i.test(tokenIn(request))
      ? ((await letIn(tools, request, table, 'id != ""')) ?? next(request))
      : next(request),
  ),
)
fault(
  'an impersonation accepts another authorization scheme',
  { trips: ['derived.impersonate-proof'] },
  on('impersonate', async (request, next, _match, tools) =>
    /^basic/i.test(tokenIn(request)) ? tools.asSuperuser(request) : next(request),
  ),
)

/** Completes a flow for the newest account where the token is not a string. */
const completesWithout = (operation: (typeof CONFIRMS)[number], change: JsonValue) =>
  on(operation, async (request, next, { table = '' }, tools) => {
    const body = await parsedBody(request)
    if (body === undefined || typeof body.token === 'string') return next(request)
    await changeNewest(tools, request, table, change)
    return json(204)
  })

fault(
  'a verification is confirmed with a token that is not a string',
  { trips: ['derived.verification-proof'] },
  completesWithout('confirmVerification', verified),
)
fault(
  'a password is reset with a token that is not a string',
  { trips: ['derived.password-reset-proof'] },
  completesWithout('confirmPasswordReset', reset),
)
fault(
  'an address is confirmed with a token that is not a string',
  { trips: ['derived.email-change-proof'] },
  completesWithout('confirmEmailChange', verified),
)

fault(
  'a sign-in that must be rejected returns an empty success',
  { trips: ['derived.sign-in-invalid'] },
  forgive('authWithPassword', 400, 204),
)
fault(
  'an email request that must be rejected returns an empty success',
  { trips: ['derived.flow-invalid'] },
  forgive(['requestVerification', 'confirmPasswordReset'], 400, 204),
)

fault(
  'a create that violates a bound returns an empty success',
  { trips: ['derived.write-invalid'] },
  forgive('createRecord', 400, 204),
)
/** Changes a record that the rejected request is not about. */
fault(
  'a rejected delete changes another record of the table',
  { trips: ['derived.delete-record'] },
  on('deleteRecord', async (request, next, { table = '', id }, tools) => {
    const response = await next(request.clone())
    if (response.status < 400) return response
    const [other] = await recordsWhere(tools, request, table, `id != "${id}" && title ~ "title"`)
    await changeRecord(tools, request, table, other?.id, { title: 'changed' })
    return response
  }),
)

/** Rejects a body that is a form. */
const isForm = (request: Request) => /form/.test(request.headers.get('content-type') ?? '')
const readsJsonAlone = (operations: Operations) =>
  on(operations, async (request, next) => (isForm(request) ? fieldRejection(415) : next(request)))

fault(
  'a form does not sign in',
  { trips: ['derived.sign-in-media-types'] },
  readsJsonAlone('authWithPassword'),
)
fault(
  'a form confirms nothing',
  { trips: ['derived.flow-media-types'] },
  readsJsonAlone('confirmPasswordReset'),
)
fault(
  'an email that an account requests with its session is not sent',
  { trips: ['verification.throttled', 'password-reset.throttled'] },
  on(['requestVerification', 'requestPasswordReset'], async (request, next) =>
    tokenIn(request) === '' ? next(request) : new Response(null, { status: 204 }),
  ),
)
for (const [what, operation] of [
  ['a change of address', 'requestEmailChange'],
  ['a verification', 'requestVerification'],
] as const)
  fault(
    `${what} that is requested by form is accepted and sends no email`,
    { trips: ['derived.flow-media-types'] },
    on(operation, async (request, next) =>
      isForm(request) ? new Response(null, { status: 204 }) : next(request),
    ),
  )
fault(
  'a PUT succeeds at any path',
  { trips: ['derived.methods'] },
  () => async (request, next) => (request.method === 'PUT' ? json(200, {}) : next(request)),
)

fault(
  'an update returns the identifier of another record',
  { trips: ['derived.record-links'] },
  tamper('updateRecord', (record) => ({ ...record, id: 'another00000001' })),
)

/** Whether the request shows an account to itself. */
const isOwn = (request: Request, id: string | undefined) => claimsIn(tokenIn(request))?.id === id

fault(
  'an account that views itself gets the identifier of another one',
  { trips: ['derived.account-links'] },
  tamper('viewRecord', (record, request, { id }) =>
    isOwn(request, id) ? { ...record, id: 'another00000001' } : record,
  ),
)
fault(
  'an account does not see itself',
  { trips: ['derived.links-accepted'] },
  on('viewRecord', (request, next, { id }) =>
    isOwn(request, id) ? Promise.resolve(fieldRejection(404)) : next(request),
  ),
)
