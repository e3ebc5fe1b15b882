/** Defects that only show when requests come at the same time, or often. */

import { hasAddress, letIn } from './combinators/auth.ts'
import {
  type JsonValue,
  json,
  listItems,
  type Match,
  type Operations,
  on,
  parsedBody,
} from './combinators/combinators.ts'
import { fieldRejection, withObject } from './combinators/field.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

/** Requests with one key that arrive while the first of them is being processed get the response to the first. */
function sharesResponses(operations: Operations, keyOf: (body: JsonValue) => unknown) {
  return (tools: FaultTools): Middleware => {
    const underWay = new Map<string, Promise<Response>>()
    return on(operations, async (request, next) => {
      const key = keyOf((await parsedBody(request)) ?? {})
      if (typeof key !== 'string') return next(request)
      const first = underWay.get(key)
      if (first !== undefined) return (await first).clone()
      const response = next(request)
      underWay.set(key, response)
      // A little longer than the response takes: requests that arrived with the first may not have been read yet.
      setTimeout(() => underWay.delete(key), 300)
      return (await response).clone()
    })(tools)
  }
}

fault(
  'concurrent sign-ins can use the same code',
  { trips: ['otp.once-at-once'] },
  sharesResponses('authWithOtp', ({ otpId }) => otpId),
)
fault(
  'concurrent sign-ins can use the same mfaId',
  { trips: ['mfa.once-at-once'] },
  sharesResponses('authWithOtp', ({ mfaId }) => mfaId),
)
fault(
  'concurrent resets can use the same link',
  { trips: ['password-reset.once-at-once'] },
  sharesResponses('confirmPasswordReset', ({ token }) => token),
)
fault(
  'concurrent sign-ups with one address all succeed',
  { trips: ['account.email-unique-at-once'] },
  sharesResponses('createRecord', ({ email }) => email),
)
fault(
  'a sign-in during a password change accepts the old password',
  { trips: ['token.password-ends-at-once'] },
  (tools) => {
    const changes = new Set<Promise<Response>>()
    return on(['updateRecord', 'authWithPassword'], async (request, next, { operation, table = '' }) => {
      const { password, identity } = (await parsedBody(request)) ?? {}
      if (operation === 'updateRecord') {
        const change = next(request)
        if (password !== undefined) changes.add(change)
        const response = await change
        setTimeout(() => changes.delete(change), 2_000)
        return response
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
      const waits = changes.size > 0
      await Promise.all(changes)
      const response = await next(request.clone())
      return waits ? ((await letIn(tools, request, table, `email = "${identity}"`)) ?? response) : response
    })(tools)
  },
)
fault(
  'requests for codes are not limited for unknown addresses',
  { trips: ['enumeration.otp-open'] },
  on('requestOtp', async (request, next, { table = '' }, tools) => {
    const { email } = (await parsedBody(request)) ?? {}
    const known = await hasAddress(tools, request, table, email)
    return known
      ? next(request)
      : json(200, { otpId: String(Math.random()).slice(2).padEnd(15, '0').slice(0, 15) })
  }),
)
fault('attempts for unknown addresses are not limited', { trips: ['enumeration.otp-attempts'] }, (tools) => {
  const unknown = new Set<unknown>()
  return on(['requestOtp', 'authWithOtp'], async (request, next, { operation, table = '' }) => {
    const { email, otpId } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (operation === 'authWithOtp') {
      return response.status === 429 && unknown.has(otpId) ? fieldRejection(400) : response
    }
    if (!(await hasAddress(tools, request, table, email))) {
      unknown.add(((await response.clone().json()) as JsonValue).otpId)
    }
    return response
  })(tools)
})

/** Of creates with one key that arrive while the first of them runs, only the first has an effect; all succeed. */
function losesCreates(keyOf: (body: JsonValue) => unknown) {
  return (): Middleware => {
    const underWay = new Map<string, Promise<Response>>()
    return async (request, next) => {
      const isCreate = request.method === 'POST' && request.url.endsWith('/conf_plain/records')
      const key = isCreate ? keyOf((await parsedBody(request)) ?? {}) : undefined
      if (typeof key !== 'string') return next(request)
      const first = underWay.get(key)
      if (first !== undefined) return (await first).clone()
      const response = new Promise((resolve) => setTimeout(resolve, 5)).then(() => next(request))
      underWay.set(key, response)
      try {
        return (await response).clone()
      } finally {
        underWay.delete(key)
      }
    }
  }
}
fault(
  'of concurrent creates, one has an effect',
  { trips: ['create.only-one'] },
  losesCreates(({ id }) => (id === undefined ? 'any' : undefined)),
)
fault(
  'concurrent creates with one id all succeed',
  { trips: ['create.only-one'] },
  losesCreates(({ id }) => id),
)
fault(
  'an update writes back the whole record as it read it',
  { trips: ['update.fields-at-once'] },
  on('updateRecord', async (request, next, _match, { asSuperuser }) => {
    const sent = await parsedBody(request)
    const view = await asSuperuser(new Request(request.url))
    if (sent === undefined || !view.ok) return next(request)
    const { text, number, bool, select } = (await view.json()) as JsonValue
    const before = Object.fromEntries(
      Object.entries({ text, number, bool, select }).filter(([, value]) => value !== undefined),
    )
    await new Promise((resolve) => setTimeout(resolve, 5))
    return next(withObject(request, { ...before, ...sent }))
  }),
)
/**
 * A read gets the response to one that is under way, if what they read is in this relation.
 *
 * @param readIn what a request reads. @default its table
 */
function sharesConcurrent(
  operations: Operations,
  isShared: (one: string, other: string) => boolean,
  readIn: (request: Request, match: Match) => string = (_, { table = '' }) => table,
) {
  return (tools: FaultTools): Middleware => {
    const underWay = new Map<string, Promise<Response>>()
    return on(operations, async (request, next, match) => {
      const read = readIn(request, match)
      const shared = [...underWay].find(([of]) => isShared(of, read))
      if (shared !== undefined) return (await shared[1]).clone()
      const response = next(request)
      underWay.set(read, response)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay.delete(read)
      return (await response).clone()
    })(tools)
  }
}
const isSame = (one: string, other: string) => one === other
fault(
  'concurrent views of a table show the same record',
  { trips: ['view.record'] },
  sharesConcurrent('viewRecord', isSame),
)
fault(
  'a view returns the response to the previous view',
  { trips: ['view.own-answer'] },
  sharesResponses('viewRecord', () => 'any'),
)
fault(
  'a list returns the response to a concurrent one of the same table',
  { trips: ['list.own-answer'] },
  sharesConcurrent('listRecords', isSame),
)
fault(
  'a list returns the response to a concurrent one of another table',
  { trips: ['list.own-answer'] },
  sharesConcurrent('listRecords', (one, other) => !isSame(one, other)),
)
fault(
  'a sign-in returns the response to the previous one',
  { trips: ['auth.own-answer'] },
  sharesResponses('authWithPassword', () => 'any'),
)
fault(
  'a refresh returns the response to the previous one',
  { trips: ['auth.own-answer'] },
  sharesResponses('authRefresh', () => 'any'),
)
fault(
  'the second of two concurrent deletes succeeds without deleting',
  { trips: ['delete.only-one'] },
  (tools) => {
    let underWay = 0
    return on('deleteRecord', async (request, next) => {
      underWay += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      try {
        return underWay > 1 ? json(204) : await next(request)
      } finally {
        underWay -= 1
      }
    })(tools)
  },
)
fault(
  'concurrent lists with the same filter show the same page',
  { trips: ['list.pagination-stable'] },
  sharesConcurrent(
    'listRecords',
    (one, other) => one === other,
    ({ url }) => new URL(url).searchParams.get('filter') ?? '',
  ),
)
fault(
  'pages lack their last record after concurrent writes',
  { trips: ['list.pagination-covers'] },
  (tools) => {
    let writes = 0
    /** Writes until the first page of a filter. */
    const before = new Map<string, number>()
    return on(
      ['listRecords', 'createRecord', 'updateRecord', 'deleteRecord'],
      async (request, next, match) => {
        if (match.operation !== 'listRecords') {
          writes += 1
          return next(request)
        }
        const { searchParams } = new URL(request.url)
        const filter = searchParams.get('filter') ?? ''
        if (Number(searchParams.get('page') ?? 1) < 2) before.set(filter, writes)
        const response = await next(request)
        if (!response.ok || before.get(filter) === writes) return response
        const body = (await response.json()) as JsonValue
        return json(200, { ...body, items: listItems(body).slice(0, -1) })
      },
    )(tools)
  },
)
