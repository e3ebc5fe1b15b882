/**
 * Turns an operation into a handler of a route: who asks, what with, in which transaction, and how the answer goes out.
 *
 * @module
 */

import type { Context } from 'hono'
import { resolveCaller } from '../auth/caller.ts'
import { refuseForeignSuperuser } from '../auth/superusers.ts'
import { countRequest } from '../rate-limits.ts'
import { findTableQuietly } from '../records/find.ts'
import type { Ask, Services } from '../services.ts'
import type { Reader, Writer } from '../vocabulary.ts'
import { Work } from '../work.ts'
import { type Narrowing, narrowing } from './fields-param.ts'
import { readQuery } from './query-string.ts'
import { refuseAnnounced } from './read-body.ts'
import { type Answer, send, type WrittenAnswer, writeInTurns } from './respond.ts'

export type Handler = (context: Context) => Promise<Response>

/** Header names as rules write them: `X-Token` is `x_token`. */
export function snakeCased(headers: Iterable<[string, string]>): Record<string, string> {
  const named: Record<string, string> = Object.create(null)
  for (const [name, value] of headers) {
    if (name !== 'host') named[name.toLowerCase().replaceAll('-', '_')] ??= value
  }
  return named
}

/** What the socket knows of a request; a request made inside the process comes from this machine. */
interface Peer {
  ip?: string
}

/**
 * A request as an operation is asked it.
 *
 * @throws ApiError 403 for a superuser from elsewhere, then 429 unless the table is missing, which the operation says
 */
async function ask(services: Services, context: Context, actions: readonly string[]): Promise<Ask> {
  const asked = await readAsk(services, context)
  refuseForeignSuperuser(asked)
  const { method, path } = context.req
  const table = findTableQuietly(asked, services.store.current)
  if (table !== undefined || actions.length === 0) countRequest(asked, { table, actions, method, path })
  return asked
}

async function readAsk(services: Services, context: Context): Promise<Ask> {
  const request = context.req.raw
  const { limits } = services
  const { ip = '127.0.0.1' } = (context.env ?? {}) as Peer
  const authorization = request.headers.get('authorization')
  let headers: Record<string, string> | undefined
  return {
    services,
    context: 'default',
    method: request.method === 'HEAD' ? 'GET' : request.method,
    table: context.req.param('table') ?? '',
    id: context.req.param('id') ?? '',
    query: readQuery(request.url, limits.pairs),
    headers() {
      headers ??= snakeCased(request.headers)
      return headers
    },
    ip,
    caller: await resolveCaller(authorization, services.store.current, services.tokens, services.findApiKey),
    expanded: { records: 0, most: limits.expandedRecords },
    work: new Work(limits),
  }
}

/**
 * The same question by whoever the Authorization header stands for now. A body takes its time to arrive, and the
 * session or key may have ended on the way: what it may not do any more, it does not.
 */
export async function askedNow(asked: Ask, request: Request, reader: Reader): Promise<Ask> {
  if (asked.caller.kind === 'guest') return asked
  const { tokens, findApiKey } = asked.services
  const caller = await resolveCaller(request.headers.get('authorization'), reader, tokens, findApiKey)
  return { ...asked, caller }
}

function narrowingOf({ query, services }: Ask): Narrowing | undefined {
  return narrowing(query.fields, services.limits.names)
}

function written(
  answer: Answer,
  { work, services }: Ask,
  narrow: Narrowing | undefined,
): Promise<WrittenAnswer> {
  return writeInTurns(answer, { work, most: services.limits.responseLength, narrow })
}

/**
 * An operation that only reads. A body means nothing to it, and must not be too large all the same; that its table is
 * missing goes first (contract-records 4.2).
 *
 * @param actions what it counts as for rate limits
 */
export function reading(
  services: Services,
  actions: readonly string[],
  operation: (ask: Ask, reader: Reader) => Answer | Promise<Answer>,
): Handler {
  return async (context) => {
    const asked = await ask(services, context, actions)
    const reader = services.store.current
    if (findTableQuietly(asked, reader) !== undefined) refuseAnnounced(context.req.raw)
    const narrow = narrowingOf(asked)
    return send(await written(await operation(asked, reader), asked, narrow))
  }
}

/**
 * An operation that writes: its body is read first (`receive` knows the limit and what comes before it), then it runs
 * in one transaction. The text of the answer is made in it, too: one that cannot be sent leaves everything as it was.
 */
export function writing<Body>(
  services: Services,
  actions: readonly string[],
  receive: (ask: Ask, request: Request) => Promise<Body>,
  operation: (ask: Ask, body: Body, writer: Writer) => Answer | Promise<Answer>,
): Handler {
  return async (context) => {
    const asked = await ask(services, context, actions)
    const body = await receive(asked, context.req.raw)
    const narrow = narrowingOf(asked)
    return send(
      await services.store.transaction(async (writer) => {
        const answer = await operation(await askedNow(asked, context.req.raw, writer), body, writer)
        return written(answer, asked, narrow)
      }),
    )
  }
}

/** An operation that does its own reading and writing, as signing in does. */
export function handling(
  services: Services,
  actions: readonly string[],
  operation: (ask: Ask, request: Request) => Promise<Answer>,
): Handler {
  return async (context) => {
    const asked = await ask(services, context, actions)
    const narrow = narrowingOf(asked)
    return send(await written(await operation(asked, context.req.raw), asked, narrow))
  }
}
