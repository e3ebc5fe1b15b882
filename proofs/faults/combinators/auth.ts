/**
 * Faults about identity: tokens that are ignored or wrongly accepted, sign-ins that accept the wrong person.
 *
 * @module
 */

import { servicesOf } from '../../../reference/services-of.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { FaultTools, Middleware, Next } from '../fault.ts'
import {
  all,
  another,
  type JsonValue,
  json,
  type Match,
  type Operations,
  on,
  parsedBody,
} from './combinators.ts'
import { fieldRejection } from './field.ts'

type Make = (tools: FaultTools) => Middleware

export const SIGN_INS = ['authWithPassword', 'authWithOtp', 'authWithOAuth2'] as const
export const REQUESTS = ['requestVerification', 'requestPasswordReset', 'requestEmailChange'] as const
export const CONFIRMS = ['confirmVerification', 'confirmPasswordReset', 'confirmEmailChange'] as const

export function tokenIn(request: Request): string {
  return request.headers.get('authorization') ?? ''
}

/** The same request with another Authorization value; undefined for none. */
export async function withToken(request: Request, token: string | undefined): Promise<Request> {
  const headers = new Headers(request.headers)
  if (token === undefined) headers.delete('authorization')
  else headers.set('authorization', token)
  const bare = request.method === 'GET' || request.method === 'HEAD'
  return new Request(request.url, {
    method: request.method,
    headers,
    body: bare ? null : await request.arrayBuffer(),
  })
}

/** Reads the Authorization value otherwise; undefined stands for a guest. */
export function readsTokens(operations: Operations, read: (token: string) => string | undefined): Make {
  return on(operations, async (request, next) => {
    const token = tokenIn(request)
    const instead = read(token)
    return next(instead === token ? request : await withToken(request, instead || undefined))
  })
}

/** Whether a request has the token of an account, of any of our auth tables. */
export function hasAccountToken(request: Request): boolean {
  return /^conf_/.test(String(claimsIn(tokenIn(request))?.collectionId))
}

/** Whether a request has the token of an account of the role `members`. */
export function hasMemberToken(request: Request): boolean {
  return claimsIn(tokenIn(request))?.collectionId === 'conf_members_0001'
}

/** Whether a request has the token of an impersonation of an account. */
export function hasImpersonationToken(request: Request): boolean {
  return hasAccountToken(request) && claimsIn(tokenIn(request))?.refreshable === false
}

/** Claims of a signed token; undefined for anything else. */
export function claimsIn(token: string): JsonValue | undefined {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as JsonValue
  } catch {
    return undefined
  }
}

/** The records of a table that a filter matches, as superuser, newest first. */
export async function recordsWhere(
  tools: FaultTools,
  request: Request,
  table: string,
  filter: string,
): Promise<JsonValue[]> {
  const path = `${tools.prefix}/collections/${table}/records?perPage=1&sort=-created&filter=${encodeURIComponent(filter)}`
  const response = await tools.asSuperuser(another(request, 'GET', path))
  const { items } = (await response.json()) as { items?: JsonValue[] }
  return items ?? []
}

/** Changes a record as superuser. */
export function changeRecord(
  { asSuperuser, prefix }: FaultTools,
  request: Request,
  table: string,
  id: unknown,
  change: JsonValue,
): Promise<Response> {
  return asSuperuser(another(request, 'PATCH', `${prefix}/collections/${table}/records/${id}`, change))
}

/** A session for the record that a filter names, as if it had signed in. */
export async function letIn(
  tools: FaultTools,
  request: Request,
  table: string,
  filter: string,
  duration?: number,
): Promise<Response | undefined> {
  const [record] = await recordsWhere(tools, request, table, filter)
  if (record === undefined) return undefined
  const path = `${tools.prefix}/collections/${table}/impersonate/${record.id}`
  return tools.asSuperuser(another(request, 'POST', path, duration === undefined ? undefined : { duration }))
}

/** A password sign-in that ends with one of these statuses signs in the record that the filter names. */
export function lets(
  statuses: readonly number[],
  filter: (body: JsonValue, table: string) => string | undefined,
): Make {
  return on('authWithPassword', async (request, next, { table = '' }, tools) => {
    const body = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const wanted = filter(body, table)
    if (!statuses.includes(response.status) || wanted === undefined) return response
    return (await letIn(tools, request, table, wanted)) ?? response
  })
}

export const byEmail = ({ identity }: JsonValue) => `email = "${identity}"`

/** Does something more as superuser to the record that a successful sign-in or confirmation is about. */
export function andThen(
  operations: Operations,
  record: (body: JsonValue, sent: JsonValue, request: Request) => string | undefined,
  change: JsonValue,
): Make {
  return on(operations, async (request, next, { table = '' }, tools) => {
    const sent = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (!response.ok) return response
    const text = await response.clone().text()
    const id = record(text === '' ? {} : (JSON.parse(text) as JsonValue), sent, request)
    if (id !== undefined)
      await tools.asSuperuser(
        another(request, 'PATCH', `${tools.prefix}/collections/${table}/records/${id}`, change),
      )
    return response
  })
}

/** Remembers the tokens that were given out. */
export function rememberingTokens(
  operations: readonly OperationId[],
  response: (given: ReadonlySet<string>, token: string, response: Response) => Response,
): Make {
  return (tools) => {
    const given = new Set<string>()
    const watch = on(SIGNING, async (request, next) => {
      const response = await next(request)
      const { token } = response.ok ? ((await response.clone().json()) as JsonValue) : {}
      if (typeof token === 'string') given.add(token)
      return response
    })(tools)
    const judge = on(operations, async (request, next) =>
      response(given, tokenIn(request), await next(request)),
    )(tools)
    return (request, next) => judge(request, (each) => watch(each, next))
  }
}

/** Requests with a token that a sign-in or a refresh gave and `isMeant` picks, by the request for it. */
export function withTokensOf(
  isMeant: (operation: OperationId, table: string, body: JsonValue) => boolean,
  handle: (request: Request, next: Next, match: Match, tools: FaultTools) => Promise<Response>,
): Make {
  return (tools) => {
    const given = new Set<unknown>()
    return on('*', async (request, next, match) => {
      const { operation, table = '' } = match
      if (given.has(tokenIn(request))) return handle(request, next, match, tools)
      if (!SIGNING.includes(operation)) return next(request)
      const body = (await parsedBody(request)) ?? {}
      const response = await next(request)
      if (response.ok && isMeant(operation, table, body))
        given.add(((await response.clone().json()) as JsonValue).token)
      return response
    })(tools)
  }
}

/** Operations that give out tokens. */
export const SIGNING: readonly OperationId[] = [...SIGN_INS, 'authRefresh', 'impersonate']

/** A session that looks fine and means nothing. */
export function session(token: string, id: unknown = 'somebody0000000'): Response {
  return json(200, {
    token,
    record: { id, collectionId: 'conf_members_0001', collectionName: 'conf_members', verified: false },
  })
}

/**
 * Accepts a second step that must be rejected, for the record that requested last. `change` says what it does to the
 * record, and `isBelieved` which proofs it is that are accepted: without it, any.
 */
export function believes(
  asking: OperationId,
  confirming: OperationId,
  change: (asked: JsonValue, sent: JsonValue) => JsonValue,
  isBelieved: (token: string) => boolean = () => true,
): Make {
  return (tools) => {
    const last = new Map<string, JsonValue>()
    const remember = on(asking, async (request, next, { table = '' }) => {
      last.set(named(table), { ...(await parsedBody(request)), id: claimsIn(tokenIn(request))?.id })
      return next(request)
    })
    const confirm = on(confirming, async (request, next, { table = '' }) => {
      const sent = (await parsedBody(request)) ?? {}
      const response = await next(request.clone())
      if (response.status !== 400 || !isBelieved(String(sent.token))) return response
      const asked = last.get(named(table)) ?? {}
      const filter = asked.email === undefined ? `id = "${asked.id}"` : `email = "${asked.email}"`
      const [record] = await recordsWhere(tools, request, table, filter)
      const path = `${tools.prefix}/collections/${table}/records/${record?.id}`
      await tools.asSuperuser(another(request, 'PATCH', path, change(asked, sent)))
      return json(204)
    })
    return all(remember, confirm)(tools)
  }
}

/** The name of one of our tables: a path gives that or the identifier. */
const named = (table: string) => table.replace(/_\d{4}$/, '')

/** Sends an email of its own through the transport of the reference. */
export async function emails(tools: FaultTools, to: unknown, text: string): Promise<void> {
  if (typeof to !== 'string' || to === '') return
  const body = `<p>${text}</p>`
  await servicesOf(tools.reference).mail.send({
    kind: 'otp',
    to,
    subject: 'Mail',
    html: body,
    text,
    sentAt: 0,
  })
}

/** Whether a record of the table has the address. */
export async function hasAddress(
  tools: FaultTools,
  request: Request,
  table: string,
  email: unknown,
): Promise<boolean> {
  return (await recordsWhere(tools, request, table, `email = "${email}"`)).length > 0
}

/** Rejects a request for an address that no record has. */
export function tellsUnknown(operations: Operations, key: string, status: number): Make {
  return on(operations, async (request, next, { table = '' }, tools) => {
    const sent = (await parsedBody(request)) ?? {}
    return (await hasAddress(tools, request, table, sent[key])) ? next(request) : fieldRejection(status)
  })
}

/** Only the first request of an account that succeeds has an effect; every later one returns 204. */
export function onceAnAccount(
  operation: OperationId,
  accountOf: (request: Request) => Promise<unknown>,
): Make {
  return (tools) => {
    const served = new Set<unknown>()
    return on(operation, async (request, next) => {
      const id = await accountOf(request)
      if (served.has(id)) return json(204)
      const response = await next(request)
      if (response.ok) served.add(id)
      return response
    })(tools)
  }
}
