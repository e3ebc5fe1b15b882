/** Defects that show in any exchange: bodies that are not JSON, wrong labels, undescribed statuses, leaks. */

import { createHash } from 'node:crypto'
import { resultsOf } from './combinators/batch.ts'
import {
  all,
  isJsonObject,
  type JsonValue,
  json,
  on,
  parsedBody,
  swallow,
  tamper,
  tamperHeaders,
  tamperRecord,
  tamperStatus,
  withMoreHeaders,
  wordless,
} from './combinators/combinators.ts'
import { tamperExpand } from './combinators/query.ts'
import { fault } from './fault.ts'

fault('the documented prefix is not served', { trips: ['prefix.v1'] }, swallow('listRecords', 404, {}))

fault(
  'a viewed record is followed by a stray character',
  { trips: ['wire.json-bodies'] },
  tamper('viewRecord', (body) => `${JSON.stringify(body)};`),
)

fault(
  'unknown records are reported as plain text',
  { trips: ['wire.json-errors'] },
  on('viewRecord', async (request, next) => {
    const response = await next(request)
    return response.status === 404 ? new Response('not found', { status: 404 }) : response
  }),
)

fault('a view returns 200 without a body', { trips: ['wire.no-empty-success'] }, wordless('viewRecord', 200))

fault('an update returns 200 without a body', { trips: ['wire.schema'] }, wordless('updateRecord', 200))

fault(
  'responses are sent in Latin-1',
  { trips: ['wire.json-utf8'] },
  on('viewRecord', async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const bytes = Buffer.from(await response.text(), 'latin1')
    return new Response(bytes, { status: response.status, headers: { 'content-type': 'application/json' } })
  }),
)

fault(
  'JSON has the media type text/html',
  { trips: ['wire.json-media-type', 'wire.media-type'] },
  tamperHeaders('viewRecord', (headers) => headers.set('content-type', 'text/html')),
)

fault(
  'a sign-in returns the password',
  { trips: ['wire.no-secrets'] },
  on('authWithPassword', async (request, next) => {
    const { password } = (await request.clone().json()) as { password?: unknown }
    const response = await next(request)
    if (!response.ok) return response
    const body: unknown = await response.json()
    return json(200, isJsonObject(body) ? { ...body, sent: password } : body)
  }),
)

fault(
  'the response to a batch contains the bodies that were sent',
  { trips: ['wire.no-secrets'] },
  on('batch', async (request, next) => {
    const sent = resultsOf(await request.clone().text())
    const response = await next(request)
    if (!response.ok) return response
    const entries = (await response.json()) as JsonValue[]
    return json(
      200,
      entries.map((entry, at) => ({ ...entry, sent: sent[at]?.body })),
    )
  }),
)

fault(
  'auth records contain their token key',
  { trips: ['wire.no-secrets'] },
  tamperRecord(['viewRecord', 'listRecords'], (record) =>
    'verified' in record ? { ...record, tokenKey: 'k' } : record,
  ),
)

fault(
  'the response to a create has status 201',
  { trips: ['wire.documented-status'] },
  tamperStatus('createRecord', 200, 201),
)

fault(
  'a delete returns 200 with a body',
  { trips: ['wire.documented-status'] },
  on('deleteRecord', async (request, next) => {
    const response = await next(request)
    return response.status === 204 ? json(200, { status: 204 }) : response
  }),
)

fault(
  'expanded records are strings',
  { trips: ['wire.schema'] },
  tamper('viewRecord', (body) => ({ ...body, expand: 'nothing' })),
)

fault(
  'an update returns an empty object',
  { trips: ['wire.schema'] },
  tamper('updateRecord', () => ({})),
)

fault(
  'a created record is shown without its times',
  { trips: ['wire.schema'] },
  tamper('createRecord', ({ created: _created, updated: _updated, ...record }) => record),
)

fault(
  'an expensive list fails',
  { trips: ['wire.no-server-error', 'wire.no-5xx'] },
  swallow('listRecords', 500, { status: 500 }),
)

fault('superusers see the values of password fields', { trips: ['wire.no-secrets'] }, (tools) => {
  const sent = new Map<unknown, unknown>()
  const remember = on('createRecord', async (request, next, { table }) => {
    const body = await parsedBody(request.clone())
    const response = await next(request)
    if (response.ok && table === 'conf_everything')
      sent.set(((await response.clone().json()) as JsonValue).id, body?.password)
    return response
  })
  const show = tamper('viewRecord', (record) =>
    sent.has(record.id) ? { ...record, password: sent.get(record.id) } : record,
  )
  return all(show, remember)(tools)
})
fault(
  'auth records contain an unsalted digest of their password',
  { trips: ['wire.no-secrets'] },
  (tools) => {
    const digests = new Map<unknown, string>()
    const keep = on('createRecord', async (request, next) => {
      const password = (await parsedBody(request))?.password
      const response = await next(request)
      if (response.ok && typeof password === 'string')
        digests.set(
          ((await response.clone().json()) as JsonValue).id,
          createHash('sha256').update(password).digest('hex'),
        )
      return response
    })
    const show = tamperRecord(['viewRecord', 'listRecords'], (record) =>
      digests.has(record.id) ? { ...record, digest: digests.get(record.id) } : record,
    )
    return all(keep, show)(tools)
  },
)
fault(
  'auth records contain a salted hash of their password',
  { trips: ['wire.no-secrets'] },
  tamperRecord(['viewRecord', 'listRecords'], (record) =>
    'verified' in record
      ? { ...record, password: createHash('sha256').update(`salted ${record.id}`).digest('base64') }
      : record,
  ),
)
const salted = (id: unknown) =>
  `${String(id).slice(0, 6)}$${createHash('sha256').update(`salted ${id}`).digest('hex')}`
fault(
  'the response to a batch shows salted hashes of passwords',
  { trips: ['wire.no-secrets'] },
  on('batch', async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const entries = (await response.json()) as { body?: JsonValue }[]
    return json(
      200,
      entries.map((entry) =>
        isJsonObject(entry.body) && 'verified' in entry.body
          ? { ...entry, body: { ...entry.body, pw: salted(entry.body.id) } }
          : entry,
      ),
    )
  }),
)
fault(
  'an expanded account shows a salted hash of its password',
  { trips: ['wire.no-secrets'] },
  tamperExpand((expand) =>
    Object.fromEntries(
      Object.entries(expand).map(([field, account]) => [
        field,
        isJsonObject(account) && 'verified' in account ? { ...account, pwd: salted(account.id) } : account,
      ]),
    ),
  ),
)
fault(
  'errors are a page for browsers where the client accepts one',
  { trips: ['wire.json-errors'] },
  on('*', async (request, next) => {
    const isBrowser = request.headers.get('accept')?.includes('text/html') === true
    const response = await next(request)
    if (response.ok || !isBrowser) return response
    const { status } = response
    return new Response('<html><h1>Error</h1></html>', { status, headers: { 'content-type': 'text/html' } })
  }),
)
fault(
  'records are XML where the client accepts only XML',
  { trips: ['wire.json-bodies'] },
  on('viewRecord', async (request, next) => {
    const isXml = request.headers.get('accept') === 'application/xml'
    const response = await next(request)
    return response.ok && isXml
      ? new Response('<record/>', { headers: { 'content-type': 'application/xml' } })
      : response
  }),
)
const bcrypt = `$2a$10$${'Ck9d.Xw3/'.repeat(6).slice(0, 53)}`
for (const [what, message] of [
  ['bcrypt', `hash ${bcrypt} mismatch`],
  ['bcrypt, escaped', `hash "${bcrypt}" mismatch`],
  ['Django', 'pbkdf2_sha256$260000$wJ4kq0sT9xLm$Yt0Qb3mJ5vK8s2Zc7Rf1Wd6Hn4Xg9Pp0Aa1Ee2Ii3Oo='],
  ['werkzeug', `stored: scrypt:32768:8:1$wJ4kq0sT9xLm$${'0f3a'.repeat(32)}`],
  ['LDAP', '{SSHA}Yt0Qb3mJ5vK8s2Zc7Rf1Wd6Hn4Xg9Pp0Aa1Ee2=='],
] as const)
  fault(
    `the rejection of a wrong password shows a hash: ${what}`,
    { trips: ['wire.no-secrets'] },
    on('authWithPassword', async (request, next) => {
      const response = await next(request)
      return response.status === 400 ? json(400, { status: 400, message, data: {} }) : response
    }),
  )
fault(
  'the rejection of a wrong password shows a hash in a header',
  { trips: ['wire.no-secrets'] },
  on('authWithPassword', async (request, next) => {
    const response = await next(request)
    return response.status === 400 ? withMoreHeaders(response, { 'x-debug': `hash=${bcrypt}` }) : response
  }),
)
fault(
  'a request for a password reset shows a hash',
  { trips: ['wire.no-secrets'] },
  on('requestPasswordReset', async (request, next) => {
    const response = await next(request)
    return response.ok ? json(200, { was: bcrypt }) : response
  }),
)
fault(
  'the rejection of a proof shows a hash',
  { trips: ['wire.no-secrets'] },
  on('confirmPasswordReset', async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(400, { status: 400, message: `still ${bcrypt}`, data: {} })
  }),
)
