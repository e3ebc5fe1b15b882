/**
 * Servers that are right about everything but one case: the kind of mistake that a coarse check passes over.
 *
 * @module
 */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import { letIn, tokenIn } from './combinators/auth.ts'
import { isJsonObject, type JsonValue, on, parsedBody, rewriteBody } from './combinators/combinators.ts'
import { fieldRejection } from './combinators/field.ts'
import { fault } from './fault.ts'

fault(
  'zeros at the end of a password are ignored',
  { trips: ['sign-in.password-whole'] },
  rewriteBody('authWithPassword', (body) =>
    typeof body.password === 'string' ? { ...body, password: body.password.replace(/\0+$/, '') } : body,
  ),
)

fault(
  'a key for every table has access to superusers',
  { trips: ['api-key.no-record'] },
  on(['listRecords', 'createRecord'], async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    const isKey = isApiKey(tokenIn(request))
    return isKey && table === '_superusers' ? tools.asSuperuser(request) : response
  }),
)

fault('batches accept revoked keys', { trips: ['api-key.revoked-anonymous'] }, (tools) => {
  const known = new Set<string>()
  return (request, next) => {
    const token = tokenIn(request)
    if (tools.reference.apiKeys.find(token) !== undefined) known.add(token)
    else if (known.has(token) && request.url.endsWith('/batch')) return tools.asSuperuser(request)
    return next(request)
  }
})

fault('attempts are counted for each code', { trips: ['otp.attempts'] }, (tools) => {
  const attempts = new Map<unknown, number>()
  return on('authWithOtp', async (request, next) => {
    const { otpId } = (await parsedBody(request)) ?? {}
    const count = (attempts.get(otpId) ?? 0) + 1
    attempts.set(otpId, count)
    const response = await next(request.clone())
    return response.status === 429 && count <= 5 ? fieldRejection(400) : response
  })(tools)
})

/** Any batch with such an entry is done as superuser. */
const batchesPass = (carries: (body: JsonValue) => boolean) =>
  on('batch', async (request, next, _match, tools) => {
    const { requests } = (await parsedBody(request)) ?? {}
    const entries = Array.isArray(requests) ? (requests as ({ body?: JsonValue } | null)[]) : []
    return entries.some((entry) => isJsonObject(entry?.body) && carries(entry.body))
      ? tools.asSuperuser(request)
      : next(request)
  })

fault(
  'users can set verified themselves in a batch',
  { trips: ['account.verified-claimed', 'auth-record.verified-not-claimed'] },
  batchesPass(({ verified }) => verified === true),
)

fault(
  'the old password is not required in a batch',
  { trips: ['account.old-password'] },
  batchesPass(({ password, oldPassword }) => password !== undefined && oldPassword === undefined),
)

fault(
  'users can set verified themselves in a form',
  { trips: ['account.verified-claimed'] },
  on('createRecord', async (request, next, _match, tools) => {
    const text = await request.clone().text()
    return text.includes('verified=true') ? tools.asSuperuser(request) : next(request)
  }),
)

fault(
  'keys see addresses of expanded accounts',
  { trips: ['api-key.hidden'] },
  on('viewRecord', async (request, next, _match, tools) => {
    const isKey = isApiKey(tokenIn(request))
    const response = await next(request.clone())
    return isKey && response.ok && request.url.includes('expand=') ? tools.asSuperuser(request) : response
  }),
)

fault(
  'factors of two accounts are accepted together',
  { trips: ['mfa.other-record'] },
  on('authWithPassword', async (request, next, { table = '' }, tools) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const { message } = response.status === 400 ? ((await response.clone().json()) as JsonValue) : {}
    const crossed = message === 'Invalid MFA session.'
    return (crossed ? await letIn(tools, request, table, `email = "${identity}"`) : undefined) ?? response
  }),
)
