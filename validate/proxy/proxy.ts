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
import { hostOf, passUpgrade } from './upgrade.ts'

export interface ProxyOptions {
  upstream: URL
  validator: ResponseValidator
  /** What becomes of an answer that does not conform; `report` streams, the others hold an answer until it is judged. */
  mode: 'report' | 'mark' | 'fail'
  har?: HarWriter | undefined
  onResult(result: ValidationResult, request: { method: string; url: string; status: number }): void
  /** An upstream that gives no answer. */
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
    const { method = 'GET', url = '/' } = incoming
    const headers = forwarded(incoming.rawHeaders, upstream.host)
    const asked = send(
      {
        protocol: upstream.protocol,
        hostname: hostOf(upstream),
        port: upstream.port,
        method,
        path: base + url,
        headers,
        agent,
        setHost: false,
      },
      (answer) => {
        const passing = new Passing(options, { incoming, outgoing, answer, sent, begun, url: base + url })
        passing.start()
      },
    )
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.destroyed) return
      options.onTrouble(
        `${method} ${url.split('?', 1)[0]}: upstream gave no answer (${error.code ?? error.message})`,
      )
      if (outgoing.headersSent) outgoing.destroy()
      else {
        outgoing.writeHead(502, { 'content-type': 'application/json' })
        outgoing.end(noAnswer)
      }
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
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    passUpgrade(upstream, incoming, socket, head, (error) => {
      options.onTrouble(
        `${incoming.method} ${incoming.url?.split('?', 1)[0]}: upstream gave no answer (${error.code ?? error.message})`,
      )
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
      const { method, url = '' } = this.#sides.incoming
      this.#options.onTrouble(
        `${method} ${url.split('?', 1)[0]}: upstream broke off (${error.code ?? error.message})`,
      )
      outgoing.destroy()
    })
    // A stream of events has no end to wait for, and is none of the interface's.
    if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
      this.#writeHead()
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      return
    }
    answer.on('data', (chunk: Buffer) => this.#keep(chunk))
    if (this.#options.mode === 'report') this.#stream()
    // After the turn: answers that ended together are judged and sent together, which is a fifth faster.
    else answer.on('end', () => setImmediate(() => this.#finish()))
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
      this.#writeHead()
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
      this.#writeHead()
      outgoing.write(this.#got.bytes())
      outgoing.write(chunk)
      answer.pipe(outgoing)
    }
    this.#got.add(chunk)
  }

  #writeHead(extra: Record<string, string> = {}): void {
    const { answer, outgoing } = this.#sides
    const headers = forwarded(answer.rawHeaders)
    for (const [name, value] of Object.entries(extra)) headers.push(name, value)
    outgoing.sendDate = false
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers)
  }

  #finish(): void {
    const { outgoing } = this.#sides
    const result = this.#judge()
    if (outgoing.headersSent) return
    if (result.ok || this.#options.mode === 'report') {
      this.#writeHead()
      outgoing.end(this.#got.bytes())
      return
    }
    const error = new ConformanceError(result, `the answer of the upstream`)
    if (this.#options.mode === 'mark') {
      this.#writeHead({ 'x-conformance': headerText(error.actual) })
      outgoing.end(this.#got.bytes())
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
    const over = this.#got.over
    const result: ValidationResult = over
      ? { ok: true, operation: undefined, findings: [], unjudged: `a body of more than ${mostKept} bytes` }
      : this.#options.validator.validate(exchange)
    this.#options.onResult(result, { method, url, status })
    this.#options.har?.add({
      started: this.#sides.begun,
      ms: Date.now() - this.#sides.begun.getTime(),
      method,
      url: new URL(url, this.#options.upstream).href,
      requestHeaders: incoming.rawHeaders,
      requestBody: this.#sides.sent.bytes(),
      status,
      statusText: answer.statusMessage ?? '',
      responseHeaders: answer.rawHeaders,
      responseBody: this.#plainBody(),
      comment: result.findings.map(({ requirement, path }) => `${requirement} ${path}`).join('; '),
    })
    return result
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
