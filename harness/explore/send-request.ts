/**
 * Requests of an exploration: one at a time or many. They are not validated.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { mediaType } from '../../exchange/media-type.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { NetworkError } from '../errors.ts'
import { ExpectationError } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { effectOf } from '../wire/expect-sendable.ts'
import { jsonOf } from '../wire/json-of.ts'
import { plainBytes } from '../wire/plain-bytes.ts'
import { plainHeaders } from '../wire/plain-headers.ts'
import { redirectOf } from '../wire/redirect.ts'
import type { RequestCount } from '../wire/request-count.ts'
import { rewritten } from '../wire/rewritten.ts'
import type { Transport } from '../wire/transport.ts'
import { explainNoResponse } from './no-response.ts'

/** A response, as far as an exploration reads it. */
export interface ExploredResponse extends Pick<ApiResponse, 'text' | 'body'> {
  /** 0 where a server that has responded before gave no complete response. */
  status: number
  /** Media type, without parameters; empty if there is none. */
  type: string
  /** Address of another place that it leads to. */
  redirect?: string
  /** Whether it asks for Basic authentication. */
  wantsBasic?: boolean
}

export interface ExploringRequest {
  /** @default GET */
  method?: string
  /** Value of the Authorization header. @default none */
  token?: string
  /** Sent as JSON. */
  body?: unknown
  /** For the count of sign-ins, and for the hook `request`. */
  operation?: OperationId
}

export interface SenderOptions {
  /** Of a response in milliseconds, for the message. */
  timeout?: number | undefined
  /**
   * Whether the server is known to respond: a missing response has status 0 then and ends no run, and a 503 with a short
   * Retry-After is repeated.
   * @default false
   */
  responds?: boolean
  /** The requests of the run so far, which each request adds to. @default they are not counted */
  count?: RequestCount | undefined
}

export type SendRequest = (path: string, request?: ExploringRequest) => Promise<ExploredResponse>

/** Tries of a request whose connection breaks. */
const mostTries = 3
/** Milliseconds for a response from another path, before a server is said not to speak HTTP. */
const patience = 500

/** Its requests throw a StoppedError if as many were sent as may be sent. */
export function requestSender(
  { send }: Transport,
  baseUrl: string,
  { timeout, responds: hasResponded = false, count }: SenderOptions = {},
): SendRequest {
  let responds = hasResponded
  const underWay = new Set<Promise<unknown>>()

  async function once(
    path: string,
    { method = 'GET', token, body, operation }: ExploringRequest,
  ): Promise<ExploredResponse> {
    try {
      count?.add(effectOf(operation, method))
    } catch (error) {
      // Those that are under way are counted, so they are sent before the error ends the exploration.
      await Promise.allSettled(underWay)
      throw error
    }
    const sending = send({
      method,
      path,
      name: operation,
      headers: {
        ...plainHeaders,
        ...(token !== undefined && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      patient: hasResponded,
    })
    underWay.add(sending)
    const response = await sending.finally(() => underWay.delete(sending))
    responds = true
    const { status, headers } = response
    // A server may compress a body although the request asks for none of it.
    const plain = plainBytes(response)
    const text = 'why' in plain ? '' : plain.bytes.toString('utf8')
    const type = mediaType(headers['content-type'])
    const redirect = redirectOf({ status, headers }, baseUrl + path)
    const wantsBasic = status === 401 && /^basic\b/i.test(headers['www-authenticate'] ?? '')
    return {
      status,
      type,
      text,
      body: parsed(text),
      redirect: redirect?.href,
      ...(wantsBasic && { wantsBasic }),
    }
  }

  let elsewhere: Promise<unknown> | undefined
  /** Whether a server whose first response is not HTTP sends one that is: then only one response is at fault. */
  async function respondsElsewhere({ fault }: NetworkError): Promise<boolean> {
    if (fault !== 'malformed') return false
    elsewhere ??= Promise.race([once('/', {}).catch(() => {}), sleep(patience)])
    await elsewhere
    return responds
  }

  return async (path, request = {}) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(path, request)
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        if (error.fault === 'cut' && tries < mostTries) continue
        if (responds || error.fault === 'oversized' || (await respondsElsewhere(error)))
          return { status: 0, type: '', text: '', body: undefined }
        throw await explainNoResponse(error, baseUrl, timeout)
      }
    }
  }
}

/** Undefined if it is not JSON that a run reads. */
function parsed(text: string): unknown {
  try {
    return jsonOf(text)
  } catch (error) {
    if (error instanceof ExpectationError) return undefined
    throw error
  }
}

/**
 * Over the connections of a run, with the headers of its requests, and as the hook `request` rewrites them. The run has
 * reached the server before.
 */
export function requestSenderOf(session: Wire & CleanUp): SendRequest {
  const { transport, configuredHeaders, target, count } = session
  const send: Transport['send'] = async (request) => {
    const wanted = await rewritten(session, request.name as OperationId | undefined, request)
    return transport.send({ ...wanted, headers: { ...configuredHeaders, ...wanted.headers } })
  }
  return requestSender({ ...transport, send }, target.baseUrl, { responds: true, count })
}
