/**
 * Parses the output of `curl -i`, and of `curl -v` with both streams merged. With `-v` the dump contains the request;
 * otherwise the caller must pass it.
 *
 * @module
 */

import type { KnownRequest, PlainExchange } from '../../exchange/plain-exchange.ts'
import { bodyOfDump, endsJson, missingInDump } from './body-of-dump.ts'

const statusLine = /^(< )?HTTP\/[\d.]+ (\d{3})(?: (.*))?$/
const gluedStatus = /^HTTP\/[\d.]+ \d{3}(?: |$)/
const requestLine = /^> ([A-Z]+) (\S+) HTTP\//
/** Informational lines of curl. With both streams in one file they appear between the lines of a response. */
const note = /^(?:\* |[{}] \[\d+ bytes data\]$|\s*% Total|\s*Dload )/
const lastNote =
  /(?:\* (?:Connection #\d+ to host|Closing connection|shutting down connection)| {2}% Total ).*$/

interface DumpedResponse {
  verbose: boolean
  status: number
  headers: Record<string, string>
  inHead: boolean
  body: string[]
}

interface DumpedRequest {
  method?: string
  url?: string
  headers: Record<string, string>
}

export interface CurlDump {
  /** The next line, without its line feed, one character per byte. @returns the exchange that ends with it */
  line(line: string): PlainExchange | undefined
  end(): PlainExchange | undefined
}

export function isCurlDump(text: string): boolean {
  return /^\s*(?:(?:< )?HTTP\/[\d.]+ \d{3}|[*>] |% Total )/.test(text)
}

/** @param known for dumps without a request */
export function createCurlDump(known: KnownRequest): CurlDump {
  let sent: DumpedRequest = { headers: {} }
  let response: DumpedResponse | undefined

  /** @param followed another response follows, so this one may be an intermediate response */
  function finish(followed: boolean): PlainExchange | undefined {
    const ended = response
    response = undefined
    if (ended === undefined || ended.status < 200) return undefined
    // A redirect that curl followed; other clients do not show it either.
    if (followed && ended.status < 400 && ended.status >= 300 && 'location' in ended.headers) return undefined
    const { status, headers, body } = ended
    const { method = known.method, url = known.url ?? '' } = sent
    const text = body.join('\n')
    const missing = missingInDump(headers, text)
    return {
      request: { ...known, method, url, headers: sent.headers },
      response: { status, ...bodyOfDump(headers, text) },
      ...(missing !== undefined && { unjudged: missing }),
    }
  }

  function begin(line: string): PlainExchange | undefined {
    const [, mark, status, reason = ''] = statusLine.exec(line) ?? []
    const verbose = mark !== undefined
    // With `-i` and `-v`, curl prints each head twice; the body belongs to the second.
    const again =
      !verbose &&
      response?.verbose === true &&
      response.status === Number(status) &&
      response.body.join('') === ''
    const before = again ? undefined : finish(true)
    // From a proxy, not from the server.
    const tunnel = /^connection established/i.test(reason)
    response = { verbose, status: tunnel ? 100 : Number(status), headers: {}, inHead: true, body: [] }
    return before
  }

  function line(raw: string): PlainExchange | undefined {
    // The progress meter overwrites itself with carriage returns.
    const shown = raw.includes('--:--') ? raw.slice(raw.lastIndexOf('\r', raw.length - 2) + 1) : raw
    const text = shown.endsWith('\r') ? shown.slice(0, -1) : shown
    const request = requestLine.exec(text)
    if (request !== null) {
      const before = finish(true)
      sent = { method: request[1] ?? 'GET', url: request[2] ?? '/', headers: {} }
      return before
    }
    if (statusLine.test(text)) return begin(text)
    if (text.startsWith('> ')) put(sent.headers, text.slice(2))
    else if (note.test(text) || text === '>' || text.includes('--:--')) return undefined
    else if (response?.inHead === true) {
      const field = text.startsWith('<') ? text.slice(1).trimStart() : text
      if (field === '') response.inHead = false
      else put(response.headers, field)
    } else if (response !== undefined) return bodyLine(response, raw)
    return undefined
  }

  /** If a body does not end with a line feed, the next output follows on the same line. */
  function bodyLine({ body }: DumpedResponse, raw: string): PlainExchange | undefined {
    const glued = raw.lastIndexOf('HTTP/')
    if (glued > 0 && gluedStatus.test(raw.slice(glued)) && endsJson([...body, raw.slice(0, glued)])) {
      body.push(raw.slice(0, glued))
      return line(raw.slice(glued))
    }
    body.push(withoutNote(raw))
    return undefined
  }

  return { line, end: () => finish(false) }
}

/** If a body does not end with a line feed, curl's next message follows on the same line. */
function withoutNote(line: string): string {
  return line.includes('* ') || line.includes('  % Total ') ? line.replace(lastNote, '') : line
}

function put(headers: Record<string, string>, line: string): void {
  const colon = line.indexOf(':')
  if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
}
