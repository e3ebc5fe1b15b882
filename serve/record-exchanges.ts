/**
 * Converts the request log of the reference into the exchanges that are shown: without secrets, and validated.
 *
 * @module
 */

import type { LoggedExchange, LoggedFinding, LoggedMessage } from '../exchange/logged-exchange.ts'
import { type BodySide, Redactor, responseSide } from '../exchange/secrets/redactor.ts'
import { apiKeyId } from '../exchange/secrets/secret-key.ts'
import { sentToken } from '../exchange/sent-token.ts'
import { readClaims } from '../reference/auth/tokens.ts'
import type { Reference } from '../reference/reference.ts'
import { servicesOf } from '../reference/services-of.ts'
import type { LoggedRequest } from '../reference/testing/logged-request.ts'
import type { Reader } from '../reference/vocabulary.ts'
import type { ResponseValidator } from '../validate/create-validator.ts'
import { type ExchangeLog, keptExchanges, type OriginalRequest } from './exchange-log.ts'
import { createRecordingQueue } from './recording-queue.ts'

/** Most characters of a body that are kept. */
const longest = 20_000
/** Most bytes that are held. */
const mostHeld = 16 * 1024 * 1024
/** Most characters of a body that are searched for secrets. A longer body is not kept at all. */
const mostRead = 500_000

export interface Recording {
  /** Resolves when all requests up to now are logged and validated. */
  settled(): Promise<void>
  stop(): void
}

/**
 * Recording costs about as much as the response itself, and most requests are never looked at. The latest are held as
 * they are until someone reads or follows the log, or until they have too many bytes. Then they are recorded in short
 * slices between requests, from a queue of bounded length (`recordingLimits`): requests that do not fit are counted in
 * the log and not kept.
 *
 * @param log receives every request that the reference handles from now on
 */
export function recordExchanges(reference: Reference, log: ExchangeLog): Recording {
  const { store } = servicesOf(reference)
  const tables = [...store.current.tables()].map(({ definition }) => definition)
  let validator: ResponseValidator | undefined
  let load = () => {}
  // Loaded when it is first needed: neither the start of the server nor its requests wait for it.
  const ready = new Promise<void>((resolve) => {
    load = resolve
  })
    .then(() => import('../validate/create-validator.ts'))
    .then(({ createValidator }) => {
      validator = createValidator({ prefix: reference.prefix, tables, profile: 'standard' })
    })
    .catch((error: unknown) => servicesOf(reference).log(error))
  const record = (request: LoggedRequest) => {
    try {
      const judged = request.operation !== undefined && request.status !== undefined
      const findings = judged && validator !== undefined ? judge(validator, request) : undefined
      log.add({ ...toExchange(request, reference), findings }, sentRequest(request), request)
    } catch (error) {
      servicesOf(reference).log(error)
    }
  }
  const queue = createRecordingQueue(record, () => log.missed(), ready)
  let held: LoggedRequest[] = []
  let heldBytes = 0
  const forget = () => {
    held = []
    heldBytes = 0
  }
  const dropOld = () => {
    const old = held.splice(0, held.length - keptExchanges)
    for (const { size } of old) heldBytes -= size
    log.skip(old.length)
  }
  const release = () => {
    load()
    dropOld()
    for (const request of held) queue.add(request, request.size)
    forget()
  }
  const unsubscribe = reference.requests.subscribe((request) => {
    const { size } = request
    held.push(request)
    heldBytes += size
    // Rarely, and many together: removing the first of a long list each time would cost more than the request.
    if (held.length > 2 * keptExchanges || heldBytes > mostHeld) dropOld()
    if (log.followed || heldBytes > mostHeld) release()
  })
  const offClear = log.onClear(forget)
  return {
    settled() {
      release()
      return queue.settled()
    },
    stop() {
      unsubscribe()
      offClear()
      release()
    },
  }
}

function toExchange(request: LoggedRequest, reference: Reference): Omit<LoggedExchange, 'id'> {
  const redactor = new Redactor()
  const { pathname, search } = new URL(request.url)
  const caller = describeCaller(request, servicesOf(reference).store.current)
  return {
    at: new Date(request.at).toISOString(),
    method: request.method,
    path: redactor.url(pathname + search),
    operation: request.operation,
    caller,
    status: request.status ?? 0,
    duration: Math.round((request.took ?? 0) * 10) / 10,
    reason: request.reason,
    fault: request.fault,
    request: message(redactor, 'request', request.requestHeaders, request.requestText),
    response: message(
      redactor,
      responseSide(request.status ?? 0),
      request.responseHeaders,
      request.responseText,
    ),
  }
}

/** Headers that belong to one connection, or to the length of one body. */
const ofConnection = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding']

/** Undefined for a body that is long, that was not read, or that is not text: it could not be repeated as it was. */
function sentRequest({
  method,
  url,
  requestHeaders,
  requestText,
}: LoggedRequest): OriginalRequest | undefined {
  const announced = requestHeaders.get('content-length') ?? '0'
  const unread = requestText === undefined && (announced !== '0' || requestHeaders.has('transfer-encoding'))
  const repeatable = (requestText?.length ?? 0) <= longest && requestText?.includes('\ufffd') !== true
  if (unread || !repeatable) return undefined
  const headers = [...requestHeaders].filter(([name]) => !ofConnection.includes(name))
  return { method, url, requestHeaders: new Headers(headers), requestText: requestText || undefined }
}

/** The caller of a request, for people to read. A token that does not count makes no one else of an anonymous caller. */
function describeCaller({ requestHeaders, tokenFault, fault }: LoggedRequest, reader: Reader): string {
  const text = sentToken(requestHeaders.get('authorization') ?? '')
  if (text === '' || fault?.includes('token expired')) return 'anonymous'
  if (tokenFault !== undefined) return `anonymous (${tokenFault})`
  const key = apiKeyId(text)
  if (key !== undefined) return `key ${key}`
  const claims = readClaims(text)
  if (claims === undefined) return 'unknown token'
  return `${reader.table(claims.collectionId)?.name ?? claims.collectionId}/${claims.id}`
}

function message(
  redactor: Redactor,
  side: BodySide,
  headers: Headers | undefined,
  text: string | undefined,
): LoggedMessage {
  const shown = redactor.headers(Object.fromEntries(headers ?? []), '')
  if (text === undefined || text === '') return { headers: shown }
  const readable =
    text.length <= mostRead && /json|^text|urlencoded/i.test(headers?.get('content-type') ?? 'json')
  const size = Buffer.byteLength(text)
  return { headers: shown, size, body: readable ? cut(redactor.body(text, side)) : undefined }
}

const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

function judge(validator: ResponseValidator, request: LoggedRequest): LoggedFinding[] {
  const { pathname, search } = new URL(request.url)
  const { findings } = validator.validate({
    request: {
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.requestHeaders),
      body: request.requestText,
    },
    response: {
      status: request.status ?? 0,
      headers: Object.fromEntries(request.responseHeaders ?? []),
      body: request.responseText ?? '',
    },
  })
  return findings.map(({ requirement, level, status, statement, path, expected, received }) => ({
    requirement,
    level,
    status,
    statement,
    path,
    expected,
    received,
  }))
}
