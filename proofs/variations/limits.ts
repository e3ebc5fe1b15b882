/** Limits: rates, sizes of requests, lengths of addresses (section 8). */

import { json, on } from '../faults/combinators/combinators.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('limits')

const because = '8'
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

/** Rejects what a request is too much in. */
const rejects = (status: number, isTooMuch: (request: Request, body: string) => boolean) =>
  on('*', async (request, next) =>
    isTooMuch(request, await request.clone().text())
      ? json(status, { message: 'Too large.' })
      : next(request),
  )

variation(
  'a body of more than 150 bytes is rejected with 413',
  { because, near: ['list.items-as-viewed', 'field-types.all'] },
  rejects(413, ({ url }, body) => url.includes('/records') && body.length > 150),
)
variation(
  'a body with more than ten keys is rejected with 422',
  { because, near: ['list.items-as-viewed', 'field-types.all'] },
  rejects(422, (_request, body) => {
    try {
      return Object.keys(JSON.parse(body) as object).length > 10
    } catch {
      return false
    }
  }),
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
