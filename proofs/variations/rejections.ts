/** Rejections: the statuses and bodies, which the document does not show (section 7). */

import type { Target } from '../../harness/vocabulary/target.ts'
import { operations } from '../../spec/openapi.ts'
import {
  isJsonObject,
  json,
  on,
  parsedBody,
  swallow,
  tamperStatus,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { rejectsWith } from './combinators/responses.ts'
import { derivedAccounts, derivedProofs, derivedRecords, nearOperation, rejecting, traffic } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('rejections')

const near = [
  ...rejecting,
  'update.missing-refused',
  'table.by-id-writes',
  'delete.final',
  'write.rejected-changes-nothing',
  ...derivedRecords,
  ...derivedAccounts,
] as const
/** Their checks expect, or accept, that a write, a code, a proof or a session is rejected. */
const nearRejections = [
  ...Object.values(nearOperation).flat(),
  'delete.final',
  'table.by-id-writes',
  'write.rejected-changes-nothing',
  'batch.rejected-changes-nothing',
  'batch.caller-user',
  'auth-record.verified-not-claimed',
  'impersonate.no-more-than-record',
]
const because = 'errors.envelope'

/**
 * Another response instead of every rejection. The response to a first factor is not a rejection: it has an `mfaId`.
 */
const rejects = (instead: (status: number, text: string) => Response) =>
  on('*', async (request, next) => {
    const response = await next(request)
    if (response.ok) return response
    const text = await response.text()
    return text.includes('"mfaId"') ? new Response(text, response) : instead(response.status, text)
  })

/** The response to an empty batch does not show whether there are batches: the tester says so. */
const target = (target: Target): Target => ({
  ...target,
  capabilities: { ...target.capabilities, batch: true },
})

for (const status of [400, 401, 403, 404, 406, 409, 410, 412, 418, 422, 424, 428, 451, 499])
  variation(
    `rejected requests return ${status}`,
    { because, near, target },
    rejects(
      (_status, text) =>
        new Response(text === '' ? null : text, { status, headers: { 'content-type': 'application/json' } }),
    ),
  )
for (const { id } of operations())
  for (const status of [401, 403, 404, 409, 422])
    variation(
      `${id} rejects with ${status}`,
      { because, near: nearOperation[id], target },
      rejectsWith(id, status),
    )
for (const status of [500, 501, 502])
  variation(
    `a missing record or table returns ${status}`,
    {
      because,
      near: [...near, 'wire.no-5xx'],
      ...(status === 501 ? {} : { declares: { 'wire.no-5xx': 'HTTP calls it an error of the server' } }),
    },
    tamperStatus('*', 404, status),
  )
for (const [from, to] of [
  [404, 400],
  [404, 401],
  [404, 403],
  [404, 410],
  [404, 422],
] as const)
  variation(
    `${to} takes the place of ${from}`,
    { because, near: ['view.missing-refused', 'table.missing-refused', 'table.separate', 'delete.removes'] },
    tamperStatus('*', from, to),
  )
variation(
  'a record that is not there redirects to its table',
  { because, near },
  on('viewRecord', async (request, next) => {
    const response = await next(request)
    if (response.status !== 404) return response
    const location = new URL(request.url).pathname.replace(/\/[^/]+$/, '')
    return json(307, { see: location })
  }),
)
variation(
  'a table that is not there redirects to a page for people',
  { because, near },
  on('*', async (request, next, { table = '' }) => {
    if (!table.startsWith('conf_none')) return next(request)
    return new Response(null, { status: 302, headers: { location: '/sign-in' } })
  }),
)

for (const [words, body] of [
  ['nothing', ''],
  ['a string', '"not possible"'],
  ['null', 'null'],
  ['a number', '4711'],
  ['false', 'false'],
  ['an empty object', '{}'],
  ['an empty list', '[]'],
  ['a list of mistakes', '[{"field":"title","message":"is wrong"},{"message":"is wrong, too"}]'],
  ['a code under error', '{"error":{"code":"not_possible","message":"This is not possible."}}'],
  ['a problem', '{"type":"about:blank","title":"Not possible","status":499,"detail":"It is not."}'],
  ['a list of errors', '{"errors":[{"status":"400","title":"Not possible"}]}'],
  ['words in several languages', '{"message":{"de":"geht nicht","fr":"ça ne va pas","ja":"できません"}}'],
  ['an object that says that it failed', '{"success":false,"data":null,"error":"not possible"}'],
  ['a record that is not one', '{"id":null,"collectionId":null,"collectionName":null}'],
  ['a list without items', '{"page":0,"perPage":0,"totalItems":0,"totalPages":0,"items":[]}'],
  ['a stack trace', `{"message":"no","trace":[${'"at a (b.c:1)",'.repeat(500)}""]}`],
] as const)
  variation(
    `rejected requests return ${words}`,
    { because, near: [...traffic, ...rejecting], target },
    rejects(
      (status) =>
        new Response(body === '' ? null : body, {
          status,
          headers: body === '' ? {} : { 'content-type': 'application/json' },
        }),
    ),
  )

for (const [words, body] of [
  ['a message under each key', { token: 'This field is required.', mfaId: 'This field is required.' }],
  ['a code under each key', { errors: { token: 'invalid_token', password: 'required' } }],
] as const)
  variation(
    `rejected requests return ${words}`,
    { because, near: [...derivedAccounts, ...derivedProofs, 'flow.own-step-only'], target },
    rejects((status) => json(status, body)),
  )

for (const [words, body] of [
  ['`ok` is false', { ok: false, error: { code: 'not_possible' } }],
  ['`success` is false', { success: false, data: null, message: 'This is not possible.' }],
  ['they have an error', { error: 'not possible' }],
  ['they have errors', { data: null, errors: [{ message: 'This is not possible.' }] }],
] as const)
  variation(
    `all rejections return 200: ${words}`,
    { because, near: [...new Set([...near, ...nearRejections])], target },
    on(
      operations().map(({ id }) => id),
      async (request, next) => {
        const response = await next(request)
        if (response.ok) return response
        const text = await response.text()
        return text.includes('"mfaId"') ? new Response(text, response) : json(200, body)
      },
    ),
  )

variation(
  'rejections repeat what was sent, as FastAPI does',
  {
    because,
    near: [
      'wire.no-secrets',
      ...derivedAccounts,
      ...derivedProofs,
      'derived.confirm-password-reset',
      'derived.confirm-email-change',
    ],
    target,
  },
  on('*', async (request, next) => {
    // Nested deeply, it could not be written again.
    const isShort = (await request.clone().text()).length < 2_000
    const sent = isShort ? await parsedBody(request.clone()) : undefined
    const response = await next(request)
    if (response.ok) return response
    const body: unknown = await response.clone().json()
    return isJsonObject(body) && !('mfaId' in body)
      ? json(response.status, { ...body, detail: [{ loc: ['body'], msg: 'Field required', input: sent }] })
      : response
  }),
)

variation(
  'the rejection of a sign-in says how passwords are stored',
  {
    because,
    near: ['wire.no-secrets', 'wire.json-errors', 'auth.password-wrong', 'password-reset.proof-required'],
  },
  on(['authWithPassword', 'authWithOtp', 'confirmPasswordReset'], async (request, next) => {
    const response = await next(request)
    const message = 'Compared as bcrypt ($2a$10$...), pbkdf2_sha256$260000$ or {SSHA}: no match.'
    return response.status === 400 ? json(400, { status: 400, message, data: {} }) : response
  }),
)
variation(
  'guests may not list accounts',
  { because: 'rules.access', near: ['list.one-shape', 'wire.no-secrets'] },
  on('listRecords', (request, next, { table }) =>
    table === 'conf_members' && !request.headers.has('authorization')
      ? Promise.resolve(fieldRejection(403))
      : next(request),
  ),
)
variation(
  'guests may not list accounts, which are reported as missing',
  { because: 'rules.access', near: ['list.one-shape', 'wire.no-secrets'] },
  on('listRecords', (request, next, { table }) =>
    table === 'conf_members' && !request.headers.has('authorization')
      ? Promise.resolve(fieldRejection(404))
      : next(request),
  ),
)
for (const status of [401, 403])
  variation(
    `a missing table returns ${status} for every caller`,
    { because: 'records.statuses', near: ['list.shape', 'table.missing-refused'] },
    on('listRecords', async (request, next, { table }) => {
      const response = await next(request)
      return table === '_superusers' || response.status === 404 ? fieldRejection(status) : response
    }),
  )
variation(
  'superusers are not a table that can be listed',
  { because: 'rules.access', near: ['list.shape', 'table.missing-refused'] },
  on('listRecords', (request, next, match, tools) =>
    match.table === '_superusers' ? swallow('listRecords', 404, {})(tools)(request, next) : next(request),
  ),
)
