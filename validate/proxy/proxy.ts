/**
 * A proxy that holds what passes through it against the interface. Bytes and headers go on as they came, both ways.
 *
 * @module
 */

import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ResponseValidator } from '../create-validator.ts'
import { decodeContent } from '../exchange/decode.ts'
import { headerText, refusal } from '../surfaces/server-surface.ts'
import { ConformanceError } from '../surfaces/surface.ts'
import type { PlainExchange, ValidationResult } from '../vocabulary.ts'
import type { HarWriter } from './har-writer.ts'
import { hostOf, offersHttp2, passUpgrade, readWithoutOffer } from './upgrade.ts'

export interface ProxyOptions {
  upstream: URL
  validator: ResponseValidator
  /** What becomes of an answer that does not conform; `report` streams, the others hold an answer until it is judged. */
  mode: 'report' | 'mark' | 'fail'
  har?: HarWriter | undefined
  onResult(result: ValidationResult, request: { method: string; url: string; status: number }): void
  /** An upstream that gives no answer or none that can be passed on, and an exchange that cannot be judged or recorded. */
  onTrouble(what: string): void
}

export interface RunningProxy {
  url: string
  close(): Promise<void>
}

/** Bytes of a body that is kept to be judged; a larger one goes on unjudged. */
const mostKept = 32 * 1024 * 1024
const noAnswer = JSON.stringify({ status: 502, message: 'The upstream gave no answer.', data: {} })
/** They belong to one connection, not to the message. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  // Trailers are not passed on; and node throws where one is announced for a body that is not chunked.
  'trailer',
  'upgrade',
])

/** @param port on 127.0.0.1; 0 for a free one */
export async function startProxy(options: ProxyOptions, port = 0): Promise<RunningProxy> {
  const { upstream } = options
  const secure = upstream.protocol === 'https:'
  const agent = new (secure ? HttpsAgent : Agent)({ keepAlive: true, maxSockets: 256 })
  const send = secure ? httpsRequest : httpRequest
  const base = upstream.pathname.replace(/\/+$/, '')

  const server = createServer((incoming, outgoing) => {
    const begun = new Date()
    const sent = new Kept()
    const { method = 'GET' } = incoming
    const url = base + pathOf(incoming.url)
    const headers = forwarded(incoming.rawHeaders, upstream.host)
    const asked = send(
      {
        protocol: upstream.protocol,
        hostname: hostOf(upstream),
        port: upstream.port,
        method,
        path: url,
        headers,
        agent,
        setHost: false,
      },
      (answer) => {
        const passing = new Passing(options, { incoming, outgoing, answer, sent, begun, url })
        passing.start()
      },
    )
    const unanswered = (error: NodeJS.ErrnoException) => {
      if (outgoing.destroyed) return
      options.onTrouble(told(incoming, 'upstream gave no answer', error))
      refuse(outgoing)
    }
    asked.on('error', unanswered)
    // Without a listener nobody would be told, and the client would wait for ever.
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy()
      unanswered(new Error('it changed the protocol unasked'))
    })
    // Whoever hangs up wants no answer any more: that is no trouble of the upstream.
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) asked.destroy()
    })
    if (hasBody(incoming)) {
      incoming.on('data', (chunk: Buffer) => sent.add(chunk))
      incoming.pipe(asked)
    } else asked.end()
  })
  // The server forgets a connection that has changed its protocol, but waits for it when it closes.
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (incoming, socket, head) => {
    if (offersHttp2(incoming)) return readWithoutOffer(server, incoming, socket, head)
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    passUpgrade(upstream, incoming, socket, head, (error) => {
      options.onTrouble(told(incoming, 'upstream gave no answer', error))
      socket.end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: application/json\r\nContent-Length: ${noAnswer.length}\r\nConnection: close\r\n\r\n${noAnswer}`,
      )
    })
  })
  server.requestTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of upgraded) socket.destroy()
      return closeAll(server, agent)
    },
  }
}

async function closeAll(server: Server, agent: Agent): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  agent.destroy()
  await closed
}

/**
 * What was asked for, as a path. Who takes us for a proxy names a whole address, as any server has to bear (RFC 9112,
 * section 3.2.2).
 */
function pathOf(target = '/'): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return /^(?:\/|\*$)/.test(path) ? path : `/${path}`
}

/** The query is left out: it may hold a secret. */
function told(incoming: IncomingMessage, what: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return `${incoming.method} ${incoming.url?.split('?', 1)[0]}: ${what} (${code ?? message})`
}

function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  // The reason is named because one that was refused before would be taken again.
  outgoing.writeHead(502, 'Bad Gateway', { 'content-type': 'application/json' })
  outgoing.end(noAnswer)
}

/** A body kept up to a size. */
class Kept {
  readonly #chunks: Buffer[] = []
  size = 0
  over = false

  add(chunk: Buffer): void {
    this.size += chunk.length
    if (this.size <= mostKept) this.#chunks.push(chunk)
    else {
      this.over = true
      this.#chunks.length = 0
    }
  }

  bytes(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }
}

interface Sides {
  incoming: IncomingMessage
  outgoing: ServerResponse
  answer: IncomingMessage
  sent: Kept
  begun: Date
  url: string
}

/** One answer on its way through. */
class Passing {
  readonly #options: ProxyOptions
  readonly #sides: Sides
  readonly #got = new Kept()

  constructor(options: ProxyOptions, sides: Sides) {
    this.#options = options
    this.#sides = sides
  }

  start(): void {
    const { answer, outgoing } = this.#sides
    // What has come cannot be taken back: the client sees its answer break off as well.
    answer.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.destroyed) return
      this.#trouble('upstream broke off', error)
      outgoing.destroy()
    })
    // A stream of events has no end to wait for, and is none of the interface's.
    if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
      if (!this.#writeHead()) return
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      return
    }
    answer.on('data', (chunk: Buffer) => this.#keep(chunk))
    if (this.#options.mode === 'report') this.#stream()
    // After the turn: answers that ended together are judged and sent together, which is a fifth faster.
    else answer.on('end', () => setImmediate(() => this.#finish()))
  }

  #trouble(what: string, error: unknown): void {
    this.#options.onTrouble(told(this.#sides.incoming, what, error))
  }

  /** The traffic goes on whatever becomes of our own work on it. */
  #attempt(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#trouble(what, error)
    }
  }

  /** What comes in one turn goes on as one packet, a short answer whole; the rest of a long one as it comes. */
  #stream(): void {
    const { answer, outgoing } = this.#sides
    let ended = false
    answer.on('end', () => {
      ended = true
    })
    setImmediate(() => {
      if (outgoing.destroyed) return
      if (!this.#writeHead()) return
      if (ended) {
        outgoing.end(this.#got.bytes())
        this.#judge()
        return
      }
      if (this.#got.size > 0) outgoing.write(this.#got.bytes())
      else outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('end', () => this.#judge())
    })
  }

  #keep(chunk: Buffer): void {
    const { outgoing, answer } = this.#sides
    if (!outgoing.headersSent && this.#got.size + chunk.length > mostKept) {
      // Too large to hold back: what was held goes on, and the rest streams.
      if (!this.#writeHead()) return
      outgoing.write(this.#got.bytes())
      outgoing.write(chunk)
      answer.pipe(outgoing)
    }
    this.#got.add(chunk)
  }

  /** @returns false where node does not send such a head: of a status below 100, with control characters in the reason */
  #writeHead(extra: Record<string, string> = {}): boolean {
    const { answer, outgoing } = this.#sides
    const headers = forwarded(answer.rawHeaders)
    for (const [name, value] of Object.entries(extra)) headers.push(name, value)
    outgoing.sendDate = false
    try {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers)
      return true
    } catch (error) {
      this.#trouble('the answer cannot be passed on', error)
      refuse(outgoing)
      return false
    }
  }

  #finish(): void {
    const { outgoing } = this.#sides
    const result = this.#judge()
    if (outgoing.headersSent) return
    if (result.ok || this.#options.mode === 'report') {
      if (this.#writeHead()) outgoing.end(this.#got.bytes())
      return
    }
    const error = new ConformanceError(result, `the answer of the upstream`)
    if (this.#options.mode === 'mark') {
      if (this.#writeHead({ 'x-conformance': headerText(error.actual) })) outgoing.end(this.#got.bytes())
      return
    }
    const { status, headers, body } = refusal(error, 502)
    outgoing.writeHead(status, headers)
    outgoing.end(body)
  }

  #judge(): ValidationResult {
    const { incoming, answer, url } = this.#sides
    const { method = 'GET' } = incoming
    const status = answer.statusCode ?? 0
    const exchange: PlainExchange = {
      request: { method, url, headers: incoming.headers, body: this.#sides.sent.bytes() },
      response: { status, headers: answer.headers, body: this.#got.bytes() },
    }
    const { over } = this.#got
    const unjudged = over ? `a body of more than ${mostKept} bytes` : 'the judging of it broke off'
    let result: ValidationResult = { ok: true, operation: undefined, findings: [], unjudged }
    if (!over)
      this.#attempt('it cannot be judged', () => {
        result = this.#options.validator.validate(exchange)
      })
    this.#options.onResult(result, { method, url, status })
    this.#attempt('it cannot be recorded', () => this.#record(method, status, result))
    return result
  }

  #record(method: string, status: number, { findings }: ValidationResult): void {
    const { incoming, answer, url, sent, begun } = this.#sides
    this.#options.har?.add({
      started: begun,
      ms: Date.now() - begun.getTime(),
      method,
      // Not resolved against the upstream: `//name/path` would name another host.
      url: new URL(this.#options.upstream.origin + (url.startsWith('/') ? url : `/${url}`)).href,
      requestHeaders: incoming.rawHeaders,
      requestBody: sent.bytes(),
      status,
      statusText: answer.statusMessage ?? '',
      responseHeaders: answer.rawHeaders,
      responseBody: this.#plainBody(),
      comment: findings.map(({ requirement, path }) => `${requirement} ${path}`).join('; '),
    })
  }

  /** Undefined for one that was too large to be kept. */
  #plainBody(): Uint8Array | undefined {
    if (this.#got.over) return undefined
    const encoding = this.#sides.answer.headers['content-encoding']
    const bytes = this.#got.bytes()
    if (encoding === undefined || bytes.length === 0) return bytes
    const decoded = decodeContent(bytes, encoding, mostKept)
    return 'bytes' in decoded ? decoded.bytes : bytes
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Headers as they came, in their order and case. @param host in place of the one that was asked for */
function forwarded(raw: readonly string[], host?: string): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    const lower = name.toLowerCase()
    if (hopByHop.has(lower)) continue
    kept.push(name, lower === 'host' && host !== undefined ? host : (raw[at + 1] as string))
  }
  return kept
}
