/**
 * What kind of response somebody has in hand, told by its shape: no library is loaded to ask.
 *
 * @module
 */

import type { Readable } from 'node:stream'
import type { HeaderBag, PlainExchange, RequestFacts, ResponseFacts } from '../vocabulary.ts'
import { headerOf } from './header-of.ts'
import { peekStream } from './peek-stream.ts'

/** A response with what it tells of its request. */
export interface Recognised {
  request: Partial<RequestFacts>
  response: ResponseFacts
  unjudged?: string
}

type Bag = Record<string, unknown>

/** Requests that our own surfaces saw go out, by the response that they got. */
const sent = new WeakMap<object, RequestFacts>()

/** Remembers which request a response answers. Forgotten with the response. */
export function rememberRequest(response: object, request: RequestFacts): void {
  sent.set(response, request)
}

/** @throws TypeError when it is no response of any known kind, or its body has been read */
export function recognise(input: unknown, limit: number): Recognised | Promise<Recognised> {
  if (typeof input !== 'object' || input === null) throw unknown(input)
  const bag = input as Bag
  if (isFunction(bag.clone) && isFunction(bag.text) && typeof bag.status === 'number')
    return fromFetch(input as Response, limit)
  if (isFunction(bag.status) && isFunction(bag.headers) && isFunction(bag.body)) return fromPlaywright(bag)
  if ('req' in bag && typeof bag.text === 'string') return fromSuperagent(bag)
  if (typeof bag.statusCode === 'number') return fromStatusCode(bag, limit)
  if (typeof bag.status !== 'number') throw unknown(input)
  if ('config' in bag && 'data' in bag) return fromAxios(bag, limit)
  return { request: {}, response: input as ResponseFacts }
}

async function fromFetch(response: Response, limit: number): Promise<Recognised> {
  const { status, headers, url } = response
  if (response.bodyUsed) {
    throw new TypeError(
      'The body of this response has been read. Validate it before you read it, or give its text: { status, headers, body }.',
    )
  }
  const request = sent.get(response) ?? (url === '' ? {} : { url })
  // What fetch gives is unpacked already; the header still tells how it came.
  const plain = { 'content-type': headers.get('content-type') ?? '' }
  const announced = Number(headers.get('content-length') ?? 0)
  if (announced > limit) {
    const unjudged = `a body of ${announced} bytes is over the limit of ${limit}`
    return { request, response: { status, headers: plain }, unjudged }
  }
  const body = response.body === null ? undefined : await response.clone().arrayBuffer()
  return { request, response: { status, headers: plain, body } }
}

async function fromPlaywright(bag: Bag): Promise<Recognised> {
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

function fromStatusCode(bag: Bag, limit: number): Recognised | Promise<Recognised> {
  const status = bag.statusCode as number
  const headers = bag.headers as HeaderBag
  if ('rawBody' in bag && 'requestUrl' in bag) {
    const { options } = (bag.request ?? {}) as { options?: Bag }
    return {
      request: {
        url: String(bag.requestUrl),
        method: options?.method as string | undefined,
        headers: options?.headers as HeaderBag | undefined,
        body: options?.json ?? options?.body,
      },
      // It unpacks what it gets.
      response: { status, headers: { ...headers, 'content-encoding': undefined }, body: bag.rawBody },
    }
  }
  if (typeof bag.payload === 'string')
    return { request: {}, response: { status, headers, body: bag.payload } }
  if (isStream(bag.body)) return fromStream(bag, bag.body, status, headers, limit)
  if (isStream(bag)) return fromStream(bag, bag as unknown as Readable, status, headers, limit)
  return { request: {}, response: { status, headers, body: bag.body } }
}

/** undici's `request`, or a message of Node's own client. */
async function fromStream(
  holder: Bag,
  stream: Readable,
  status: number,
  headers: HeaderBag,
  limit: number,
): Promise<Recognised> {
  const told = { ...sent.get(holder), ...requestOf(holder) }
  const bytes = await peekStream(stream, limit)
  if (bytes === undefined) {
    const unjudged = `a body of more than ${limit} bytes is over the limit`
    return { request: told, response: { status, headers }, unjudged }
  }
  restoreMixins(stream, bytes)
  return { request: told, response: { status, headers, body: bytes } }
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

/** `body.json()` and its kind refuse a stream that anybody has touched, refilled or not; they answer from our copy. */
function restoreMixins(stream: Readable, bytes: Uint8Array): void {
  if (!isFunction((stream as unknown as Bag).json)) return
  const kept = () => {
    stream.resume()
    return new Response(new Uint8Array(bytes))
  }
  const own: Record<string, () => Promise<unknown>> = {
    json: () => kept().json(),
    text: () => kept().text(),
    arrayBuffer: () => kept().arrayBuffer(),
    blob: () => kept().blob(),
    bytes: async () => new Uint8Array(await kept().arrayBuffer()),
  }
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(stream, name, { value, configurable: true, writable: true })
}

function fromAxios(bag: Bag, limit: number): Recognised | Promise<Recognised> {
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
    return fromStream({}, bag.data, status, headers, limit).then((got) => ({ ...got, request }))
  }
  return { request, response: { status, headers, body: bag.data === '' ? undefined : bag.data } }
}

function axiosUrl({ baseURL = '', url = '', params }: Bag): string {
  const query =
    typeof params === 'object' && params !== null ? `?${new URLSearchParams(params as never)}` : ''
  return `${/^https?:/.test(String(url)) ? '' : baseURL}${url}${query}`
}

function fromSuperagent(bag: Bag): Recognised {
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
      body: bag.text,
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

function unknown(input: unknown): TypeError {
  return new TypeError(
    `This is no response of a known kind (${input === null ? 'null' : typeof input}). ` +
      'Give a fetch Response, a response of undici, axios, got, supertest, Playwright or node:http, ' +
      'or { request: { method, url }, response: { status, headers, body } }.',
  )
}

/** A plain exchange: both sides together. */
export function isExchange(input: unknown): input is Omit<PlainExchange, 'response'> & { response: unknown } {
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

/** A response that is plain data: nothing has to be read or asked. */
export function isPlainResponse(response: unknown): response is ResponseFacts {
  const bag = response as Bag
  return (
    typeof bag.status === 'number' &&
    Object.getPrototypeOf(response) === Object.prototype &&
    !('data' in bag) &&
    !('req' in bag) &&
    !isFunction(bag.text)
  )
}
