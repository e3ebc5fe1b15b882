/** Limits: rates, sizes of requests, lengths of addresses and values (section 8). */

import { operations } from '../../spec/openapi.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { json, on, parsedBody } from '../faults/combinators/combinators.ts'
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

/** Every so many requests one is not answered, until it is sent again. */
const limits = (every: number, answer: () => Response) => (tools: FaultTools) => {
  let requests = 0
  return on('*', async (request, next) => {
    requests += 1
    return requests % every === 0 ? answer() : next(request)
  })(tools)
}

const tooMany = (headers: Record<string, string> = {}, status = 429) =>
  new Response(JSON.stringify({ message: 'Too many requests.' }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

variation(
  'every seventh request is too many, and may be sent again at once',
  { because, near },
  limits(7, () => tooMany({ 'retry-after': '0' })),
)
variation(
  'every seventh request is too many, which is said without a body',
  { because, near },
  limits(7, () => new Response(null, { status: 429, headers: { 'retry-after': '0' } })),
)
variation(
  'every seventh request is too many until a moment that has passed',
  { because, near },
  limits(7, () => tooMany({ 'retry-after': new Date(Date.now() - 1_000).toUTCString() })),
)
variation(
  'every hundredth request is too many for a second',
  { because, near },
  limits(100, () => tooMany({ 'retry-after': '1' })),
)
variation(
  'every hundredth request is too many, and nothing says for how long',
  { because, near },
  limits(100, () => tooMany()),
)
variation(
  'every seventh request finds the server busy',
  { because, near },
  limits(7, () => tooMany({ 'retry-after': '0' }, 503)),
)
variation(
  'more than fifty requests in a second are too many',
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
for (const [parameter, length] of [
  ['filter', 200],
  ['sort', 40],
  ['expand', 60],
] as const)
  variation(
    `a ${parameter} of more than ${length} characters is rejected`,
    { because: sizes, near: listing },
    rejects(400, ({ url }) => (new URL(url).searchParams.get(parameter) ?? '').length > length),
  )
variation(
  'a list is sorted by one key',
  {
    because: sizes,
    near: ['list.sort-orders', 'list.sort-across-pages', 'list.sort-text', 'list.sort-keeps-set'],
  },
  rejects(400, ({ url }) => (new URL(url).searchParams.get('sort') ?? '').includes(',')),
)

const signingIn = [
  'auth.password-sign-in',
  'auth.password-wrong',
  'auth.identity-unknown',
  'derived.auth-with-password',
  'derived.password-proof',
] as const
/** Rejects a body in which one of these keys is too long. */
const tooLong = (keys: readonly string[], most: number) =>
  on('*', async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    return keys.some((key) => String(body[key] ?? '').length > most)
      ? json(422, { message: 'Too long.' })
      : next(request)
  })
variation(
  'a password of more than 72 characters is rejected',
  { because: sizes, near: signingIn },
  tooLong(['password', 'passwordConfirm'], 72),
)
variation(
  'a password of more than 30 characters is rejected',
  { because: sizes, near: [...signingIn, 'password-reset.confirms', 'derived.confirm-password-reset'] },
  tooLong(['password', 'passwordConfirm'], 30),
)
variation(
  'an identity of more than 100 characters is rejected',
  { because: sizes, near: signingIn },
  tooLong(['identity', 'email', 'username'], 100),
)

/** Of these operations, a table takes so many requests in a second; the next one is told to wait. */
const throttled = (operations: readonly OperationId[], most: number) => (tools: FaultTools) => {
  let [begin, requests] = [0, 0]
  return on(operations, async (request, next) => {
    if (Date.now() - begin > 1_000) [begin, requests] = [Date.now(), 0]
    requests += 1
    return requests > most ? tooMany({ 'retry-after': '1' }) : next(request)
  })(tools)
}
for (const { id } of operations().filter((each) => each.id.startsWith('request')))
  variation(
    `more than one ${id} in a second is too many`,
    { because, near: nearOperation[id].filter((each) => !each.startsWith('derived.')) },
    throttled([id], 1),
  )
variation(
  'more than three sign-ins in a second are too many',
  { because, near: ['auth.password-sign-in', 'auth.password-wrong', 'auth.identity-unknown'] },
  throttled(['authWithPassword'], 3),
)
variation(
  'more than five sign-ups in a second are too many',
  { because, near: ['auth-record.common-fields', 'auth-record.email', 'auth.own-password-only'] },
  throttled(['createRecord'], 5),
)

variation(
  'a request takes a while, which a header tells',
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
