/**
 * Recognizes the kind of a response by its shape, without loading any HTTP library.
 *
 * @module
 */

import type { Readable } from 'node:stream'
import { types } from 'node:util'
import { headerOf } from '../../exchange/header-of.ts'
import { isBytes } from '../../exchange/is-bytes.ts'
import { isHolder } from '../../exchange/json-object.ts'
import type { HeaderBag, PlainExchange, RequestFacts, ResponseFacts } from '../../exchange/plain-exchange.ts'
import { rememberedRequest } from '../../exchange/remember-request.ts'
import { isPromise } from '../../spec/is-promise.ts'
import { isEventStream } from './is-event-stream.ts'
import { overLimit } from './kept-body.ts'
import { peekBody } from './peek-body.ts'
import { peekStream } from './peek-stream.ts'
import { expectPart, wrongPart, wrongResponse } from './wrong-part.ts'

/**
 * Whether the response to a request is validated at all. One to a request outside the interface is not: its body may be
 * an endless stream.
 */
export type Covers = (request: RequestFacts, status: number) => boolean

type Bag = Record<string, unknown>

/** A response often knows nothing of its request. */
const unknownRequest: RequestFacts = Object.freeze({ url: '' })
const endless = 'a stream of events has no end'

/**
 * @returns the exchange, with an empty URL if the response does not know the URL of its request
 * @throws TypeError if it is not a known kind of response, or its body has already been read
 */
export function recognize(
  input: unknown,
  limit: number,
  covers: Covers,
): PlainExchange | Promise<PlainExchange> {
  if (typeof input !== 'object' || input === null) throw unknown(input)
  const bag = input as Bag
  if (isError(input) && typeof bag.statusCode !== 'number') throw ofError(bag)
  if (isError(input) && isHolder(bag.response)) throw ofError(bag)
  if (isPlainData(input) && 'status' in bag) expectPart(wrongResponse(bag, ''))
  if (isFunction(bag.clone) && isFunction(bag.text) && typeof bag.status === 'number')
    return fromFetch(input as Response, limit, covers)
  if (isFunction(bag.status) && isFunction(bag.headers) && isFunction(bag.body)) return fromPlaywright(bag)
  if ('req' in bag && typeof bag.status === 'number') return fromSuperagent(bag)
  if (typeof bag.statusCode === 'number') return fromStatusCode(bag, limit, covers)
  if (typeof bag.status !== 'number') throw unknown(input)
  if ('config' in bag && 'data' in bag) return fromAxios(bag, limit, covers)
  return { request: unknownRequest, response: input as ResponseFacts }
}

async function fromFetch(response: Response, limit: number, covers: Covers): Promise<PlainExchange> {
  const { status, headers, url } = response
  if (response.bodyUsed) {
    throw new TypeError(
      'The body of this response has already been read. Validate it before you read it, or pass its text: { status, headers, body }.',
    )
  }
  const request = { url, ...rememberedRequest(response) }
  // The body from fetch is already decoded, but the header still names the encoding.
  const plain = { 'content-type': headers.get('content-type') ?? '' }
  const head = { request, response: { status, headers: plain } }
  if (!covers(request, status)) return head
  if (isEventStream(plain['content-type'])) return { ...head, unjudged: endless }
  const announced = Number(headers.get('content-length') ?? 0)
  const body = announced > limit ? undefined : await peekBody(response, limit)
  if (body === undefined) return { ...head, unjudged: overLimit(limit) }
  return { request, response: { status, headers: plain, body } }
}

async function fromPlaywright(bag: Bag): Promise<PlainExchange> {
  const call = <T>(name: string) => (bag[name] as () => T).call(bag)
  const headers = { ...call<Record<string, string>>('headers'), 'content-encoding': undefined }
  const body = await call<Promise<Uint8Array>>('body')
  // A Response of a page knows its request; one of an APIRequestContext does not.
  const request = isFunction(bag.request) ? (call('request') as Bag) : {}
  const method = isFunction(request.method) ? (request.method as () => string).call(request) : undefined
  const sentBody = isFunction(request.postData)
    ? ((request.postData as () => string | null).call(request) ?? undefined)
    : undefined
  return {
    request: { url: call<string>('url'), method, body: sentBody },
    response: { status: call<number>('status'), headers, body },
  }
}

function fromStatusCode(bag: Bag, limit: number, covers: Covers): PlainExchange | Promise<PlainExchange> {
  const status = bag.statusCode as number
  const headers = bag.headers as HeaderBag
  if ('rawBody' in bag && 'requestUrl' in bag) {
    const { options } = (bag.request ?? {}) as { options?: Bag }
    return {
      request: {
        // The final address after redirects, as the other clients report it.
        url: String(bag.url ?? bag.requestUrl),
        method: options?.method as string | undefined,
        headers: options?.headers as HeaderBag | undefined,
        body: options?.json ?? options?.body,
      },
      // The client decodes the body.
      response: { status, headers: { ...headers, 'content-encoding': undefined }, body: bag.rawBody },
    }
  }
  if (typeof bag.payload === 'string')
    return { request: unknownRequest, response: { status, headers, body: bag.payload } }
  const stream = [bag.body, bag].find(isStream)
  if (stream !== undefined) {
    const request = { ...unknownRequest, ...rememberedRequest(bag), ...requestOf(bag) }
    return fromStream(stream, request, { status, headers }, limit, covers)
  }
  return { request: unknownRequest, response: { status, headers, body: bag.body } }
}

/** undici's `request`, or a message of Node's own client. */
async function fromStream(
  stream: Readable,
  request: RequestFacts,
  head: Omit<ResponseFacts, 'body'>,
  limit: number,
  covers: Covers,
): Promise<PlainExchange> {
  if (!covers(request, head.status)) return { request, response: head }
  if (isEventStream(headerOf(head.headers, 'content-type')))
    return { request, response: head, unjudged: endless }
  const body = await peekStream(stream, limit)
  restoreMixins(stream)
  if (body === undefined) return { request, response: head, unjudged: overLimit(limit) }
  return { request, response: { ...head, body } }
}

function requestOf(message: Bag): Partial<RequestFacts> {
  const { method, path, getHeader, host, protocol } = (message.req ?? {}) as Bag
  if (typeof path !== 'string') return {}
  const authorization = isFunction(getHeader)
    ? (getHeader as (name: string) => unknown).call(message.req, 'authorization')
    : undefined
  const url = `${String(protocol ?? 'http:')}//${String(host ?? 'localhost')}${path}`
  return {
    method: method as string | undefined,
    url,
    ...(typeof authorization === 'string' && { headers: { authorization } }),
  }
}

/**
 * `body.json()` and similar methods reject a stream that was read, even if the data was put back. These replacements
 * read it, once, as if it was untouched.
 */
function restoreMixins(stream: Readable): void {
  if (!isFunction((stream as unknown as Bag).json)) return
  let used = false
  async function read(): Promise<Response> {
    if (used || stream.readableEnded) throw new TypeError('Body is unusable: it has been read already.')
    used = true
    const chunks: Uint8Array<ArrayBuffer>[] = []
    for await (const chunk of stream) chunks.push(chunk as Uint8Array<ArrayBuffer>)
    return new Response(new Blob(chunks))
  }
  const own: Record<string, () => Promise<unknown>> = {
    json: async () => (await read()).json(),
    text: async () => (await read()).text(),
    arrayBuffer: async () => (await read()).arrayBuffer(),
    blob: async () => (await read()).blob(),
    bytes: async () => new Uint8Array(await (await read()).arrayBuffer()),
  }
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(stream, name, { value, configurable: true, writable: true })
  Object.defineProperty(stream, 'bodyUsed', { get: () => used || stream.readableEnded, configurable: true })
}

function fromAxios(bag: Bag, limit: number, covers: Covers): PlainExchange | Promise<PlainExchange> {
  const config = bag.config as Bag
  const { path, method, responseURL } = (bag.request ?? {}) as Bag
  const url = typeof path === 'string' ? path : (responseURL ?? axiosUrl(config))
  const request = {
    url: String(url),
    method: String(method ?? config.method ?? 'GET'),
    headers: config.headers as HeaderBag,
    body: config.data,
  }
  const status = bag.status as number
  const headers = { 'content-type': headerOf(bag.headers, 'content-type') }
  if (isStream(bag.data)) {
    return fromStream(bag.data, request, { status, headers }, limit, covers)
  }
  return { request, response: { status, headers, body: bag.data } }
}

function axiosUrl({ baseURL = '', url = '', params }: Bag): string {
  const query =
    typeof params === 'object' && params !== null ? `?${new URLSearchParams(params as never)}` : ''
  return `${/^https?:/.test(String(url)) ? '' : baseURL}${url}${query}`
}

function fromSuperagent(bag: Bag): PlainExchange {
  const { path, method } = bag.req as Bag
  const { _data, url } = (bag.request ?? {}) as Bag
  return {
    request: {
      url: typeof path === 'string' ? path : String(url ?? ''),
      method: method as string | undefined,
      body: _data,
    },
    response: {
      status: bag.status as number,
      headers: { 'content-type': headerOf(bag.headers, 'content-type') },
      // Without a text there was no body (HEAD), or a binary one; in plain data the body is what it is called.
      body: bag.text ?? (isBytes(bag.body) || isPlainData(bag) ? bag.body : undefined),
    },
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isStream(value: unknown): value is Readable {
  if (typeof value !== 'object' || value === null) return false
  const { unshift, read, on } = value as Bag
  return isFunction(unshift) && isFunction(read) && isFunction(on)
}

/** Clients throw errors that contain their response, or the reason why there is none. */
function ofError({ isAxiosError, name, message, response }: Bag): TypeError {
  const kind = isAxiosError === true ? ' of axios' : ` (${String(name)})`
  return new TypeError(
    isHolder(response)
      ? `This is an error${kind}: pass error.response.`
      : `This is an error${kind} without a response, so there is nothing to validate: ${String(message)}`,
  )
}

/** Also one of another realm, as in test environments. */
export function isError(value: unknown): boolean {
  return types.isNativeError(value)
}

function unknown(input: unknown): TypeError {
  if (isPromise(input))
    return new TypeError('This is a promise, not its response: await the response before you validate it.')
  if (isHolder(input) && ('request' in input || 'response' in input)) expectPart(wrongPart(input))
  return new TypeError(
    `This is not a response of a known kind (${input === null ? 'null' : typeof input}). ` +
      'Pass a fetch Response, a response of undici, axios, got, supertest, Playwright or node:http, ' +
      'or { request: { method, url }, response: { status, headers, body } }.',
  )
}

/** A plain exchange: both sides together. */
export function isExchange(input: unknown): input is Omit<PlainExchange, 'response'> & { response: object } {
  if (typeof input !== 'object' || input === null) return false
  const { request, response } = input as Bag
  return (
    typeof request === 'object' &&
    request !== null &&
    typeof response === 'object' &&
    response !== null &&
    typeof (request as Bag).url === 'string'
  )
}

export function isPlainData(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}

/** A response that is plain data: nothing has to be awaited. */
export function isPlainResponse(response: unknown): response is ResponseFacts {
  const bag = response as Bag
  return (
    typeof bag.status === 'number' &&
    isPlainData(response as object) &&
    !('data' in bag) &&
    !('req' in bag) &&
    !isFunction(bag.text)
  )
}
