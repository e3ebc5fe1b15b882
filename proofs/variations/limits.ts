/** Limits: rates, sizes of requests, lengths of addresses (section 8). */

import { operations } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { REQUESTS } from '../faults/combinators/auth.ts'
import { json, on, parsedBody } from '../faults/combinators/combinators.ts'
import { rejects as fieldRejects, WRITES } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { nearOperation } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('limits')

const because = 'limits.rates'
const near = [
  'prefix.v1',
  'list.filter-narrows',
  'list.paginated',
  'create.persists',
  'update.applies',
  'delete.removes',
] as const

/** One request in `every` is not processed: the client must send it again. */
const limits = (every: number, response: () => Response) => (tools: FaultTools) => {
  let requests = 0
  return on('*', async (request, next) => {
    requests += 1
    return requests % every === 0 ? response() : next(request)
  })(tools)
}

const tooMany = (headers: Record<string, string> = {}, status = 429) =>
  new Response(JSON.stringify({ message: 'Too many requests.' }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

variation(
  'every seventh request is rate-limited, and can be repeated immediately',
  { because, near },
  limits(7, () => tooMany({ 'retry-after': '0' })),
)
variation(
  'every seventh request is rate-limited, without a body',
  { because, near },
  limits(7, () => new Response(null, { status: 429, headers: { 'retry-after': '0' } })),
)
variation(
  'every seventh request is rate-limited until a time in the past',
  { because, near },
  limits(7, () => tooMany({ 'retry-after': new Date(Date.now() - 1_000).toUTCString() })),
)
variation(
  'every hundredth request is rate-limited for a second',
  { because, near },
  limits(100, () => tooMany({ 'retry-after': '1' })),
)
variation(
  'every hundredth request is rate-limited, without a time',
  { because, near },
  limits(100, () => tooMany()),
)
variation(
  'every seventh request finds the server busy',
  { because, near },
  limits(7, () => tooMany({ 'retry-after': '0' }, 503)),
)
variation(
  'more than fifty requests in a second are rate-limited',
  { because, near },
  (tools: FaultTools): Middleware => {
    let [begin, requests] = [0, 0]
    return on('*', async (request, next) => {
      const now = Date.now()
      if (now - begin > 1_000) [begin, requests] = [now, 0]
      requests += 1
      return requests > 50 ? tooMany({ 'retry-after': '1' }) : next(request)
    })(tools)
  },
)

const sizes = 'limits.sizes'

/** Rejects what a request is too much in. */
const rejects = (status: number, isTooMuch: (request: Request, body: string) => boolean) =>
  on('*', async (request, next) =>
    isTooMuch(request, await request.clone().text())
      ? json(status, { message: 'Too large.' })
      : next(request),
  )

variation(
  'a body of more than 150 bytes is rejected with 413',
  { because: sizes, near: ['list.items-as-viewed', 'field-types.all'] },
  rejects(413, ({ url }, body) => url.includes('/records') && body.length > 150),
)
variation(
  'a body with more than ten keys is rejected with 422',
  { because: sizes, near: ['list.items-as-viewed', 'field-types.all'] },
  rejects(422, (_request, body) => {
    try {
      return Object.keys(JSON.parse(body) as object).length > 10
    } catch {
      return false
    }
  }),
)
variation(
  'strings of more than 32 characters are rejected in titles and names',
  { because: sizes, near: ['list.sort-text', 'list.sort-orders'] },
  fieldRejects(WRITES, ({ title, name }) => [title, name].some((each) => String(each ?? '').length > 32)),
)
const listing = [
  'list.filter-narrows',
  'list.sort-orders',
  'list.sort-keeps-set',
  'derived.list-records',
] as const
for (const [length, status] of [
  [300, 414],
  [500, 400],
  [2_000, 414],
] as const)
  variation(
    `an address of more than ${length} characters is rejected with ${status}`,
    { because: sizes, near: [...listing, 'derived.view-record'] },
    rejects(status, ({ url }) => url.length > length),
  )
/** Of these operations, every n-th request is rejected as one too many until it is sent again. */
const throttled =
  (operations: readonly OperationId[], every: number, table = '') =>
  (tools: FaultTools) => {
    let requests = 0
    return on(operations, async (request, next, match) => {
      if (match.table?.startsWith(table) !== true) return next(request)
      requests += 1
      return requests % every === 0 ? tooMany({ 'retry-after': '0' }) : next(request)
    })(tools)
  }
for (const { id } of operations().filter((each) => each.id.startsWith('request')))
  variation(
    `every second ${id} is rate-limited, and can be repeated immediately`,
    { because, near: nearOperation[id] },
    throttled([id], 2),
  )
variation(
  'every third sign-in is rate-limited, and can be repeated immediately',
  { because, near: nearOperation.authWithPassword },
  throttled(['authWithPassword'], 3),
)
/** A limit of sign-ins that a run has reached before, as an address may have. */
const saysTooMany = 'its check signs in, and the server says that it takes no more sign-ins for now'
variation(
  'after too many failed sign-ins, further ones are rejected with 401, which the message says',
  {
    because,
    near: ['auth.password-sign-in', 'auth.response-token', 'auth.identity-email'],
    declares: {
      'auth.password-sign-in': saysTooMany,
      'auth.response-token': saysTooMany,
      'auth.identity-email': saysTooMany,
    },
    alone: 'no account can sign in with a password',
  },
  on('authWithPassword', async () =>
    json(401, { code: 401, message: 'Too many failed login attempts, please try again in 1 minute.' }),
  ),
)
variation(
  'every second sign-up is rate-limited, and can be repeated immediately',
  { because, near: ['auth-record.common-fields', 'auth-record.email', 'auth.own-password-only'] },
  throttled(['createRecord'], 2, 'conf_members'),
)

variation(
  'a header reports how long a request took',
  { because, near: ['prefix.v1', 'list.shape', 'view.record'] },
  on('*', async (request, next) => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return withHeader(await next(request), 'server-timing', 'total;dur=30')
  }),
)

function withHeader(response: Response, name: string, value: string): Response {
  const headers = new Headers(response.headers)
  headers.set(name, value)
  return new Response(response.body, { status: response.status, headers })
}

variation(
  'an address gets one email a minute, whatever it is for, and more requests are rate-limited',
  {
    because,
    near: [
      'otp.sign-in',
      'otp.two-steps',
      'operation.request-otp',
      'operation.request-verification',
      'operation.request-password-reset',
      'verification.proof-required',
      'password-reset.proof-required',
      'password-reset.confirms',
    ],
  },
  (tools) => {
    const addresses = new Set<string>()
    return on([...REQUESTS, 'requestOtp'], async (request, next) => {
      const { email, newEmail } = (await parsedBody(request)) ?? {}
      const to = String(newEmail ?? email)
      if (addresses.has(to)) return tooMany({ 'retry-after': '60' })
      addresses.add(to)
      return next(request)
    })(tools)
  },
)
