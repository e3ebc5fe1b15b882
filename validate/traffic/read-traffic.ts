/**
 * Reads recorded traffic of any known format, detected by its content, as a stream: a long recording needs only the
 * memory of its longest line.
 *
 * @module
 */

import { exchangeInHar, isHar } from '../../exchange/har/exchange-in-har.ts'
import { isObject } from '../../exchange/json-object.ts'
import type { KnownRequest, PlainExchange } from '../../exchange/plain-exchange.ts'
import { noAttachment, type ReadAttachment, withAttachments } from './attachments.ts'
import { createCurlDump } from './curl-dump.ts'
import { createEntrySplitter } from './entry-splitter.ts'
import { trafficText } from './traffic-text.ts'

/** An entry or line of a recording. */
export type Recorded = { /** From 1. */ number: number } & (
  | { exchange: PlainExchange; trouble?: undefined; aborted?: undefined }
  | { exchange?: undefined /** Why it is not an exchange. */; trouble: string; aborted?: undefined }
  | {
      exchange?: undefined
      trouble?: undefined /** URL of a request that got no response. */
      aborted: string
    }
)

const noKind = 'is not JSON, and the file is neither HAR nor output of curl -i'

/**
 * Entries that cannot be parsed are returned as troubles, and reading continues.
 *
 * @param known for exchanges without a request
 * @param attachment reads a body that a HAR keeps in a file of this name, next to it
 * @throws Error if the file cannot be decompressed
 */
export async function* readTraffic(
  source: AsyncIterable<Uint8Array>,
  known: KnownRequest = {},
  attachment: ReadAttachment = noAttachment,
): AsyncGenerator<Recorded> {
  const harEntry = (entry: unknown, number: number) => recordedEntry(entry, number, attachment)
  const { head, dump, text } = await trafficText(source)
  if (dump) yield* readDump(text, known)
  else if (/^\{\s*"log"\s*:/.test(head)) yield* readElements(text, ['log', 'entries'], harEntry)
  else if (head.startsWith('['))
    yield* readElements(text, [], (value, number) => exchangeOf(value, number, `entry ${number}`, known))
  else yield* readLines(text, known, harEntry)
}

async function* readDump(text: AsyncIterable<string>, known: KnownRequest): AsyncGenerator<Recorded> {
  const lines = createLineSplitter()
  const dump = createCurlDump(known)
  let number = 0
  function reported(exchange: PlainExchange | undefined): Recorded[] {
    if (exchange === undefined) return []
    number += 1
    if (exchange.request.url !== '') return [{ number, exchange }]
    const trouble = `response ${number} has no request: add --request "GET /api/v1/collections/notes/records"`
    return [{ number, trouble }]
  }
  for await (const piece of text) for (const line of lines.feed(piece)) yield* reported(dump.line(line))
  yield* reported(dump.line(lines.end()))
  yield* reported(dump.end())
}

async function* readElements(
  text: AsyncIterable<string>,
  path: readonly string[],
  understand: (value: unknown, number: number) => Recorded | Recorded[],
): AsyncGenerator<Recorded> {
  const splitter = createEntrySplitter(path)
  let number = 0
  for await (const piece of text) {
    for (const element of splitter.feed(piece)) {
      number += 1
      const value = parsed(element)
      if (value === undefined) yield { number, trouble: `entry ${number} is not JSON` }
      else yield* [understand(value, number)].flat()
    }
  }
  if (!splitter.whole) yield { number: number + 1, trouble: `the file is incomplete after entry ${number}` }
}

async function* readLines(
  text: AsyncIterable<string>,
  known: KnownRequest,
  harEntry: (entry: unknown, number: number) => Recorded,
): AsyncGenerator<Recorded> {
  const lines = createLineSplitter()
  let number = 0
  let begun = false
  /** Lines of what may be one value over several lines. */
  let held: string[] | undefined

  function understood(value: unknown, at: number, place: string): Recorded[] {
    if (isHar(value)) return value.log.entries.map((entry, index) => harEntry(entry, index + 1))
    return exchangeOf(value, at, place, known)
  }
  function read(line: string): Recorded[] {
    number += 1
    if (line.trim() === '') return []
    const value = parsed(line)
    if (value === undefined) return [{ number, trouble: `line ${number} ${noKind}` }]
    return understood(value, number, `line ${number}`)
  }
  function take(line: string): Recorded[] {
    const opens = line.trimStart().startsWith('{')
    if (held === undefined) {
      const first = !begun && line.trim() !== ''
      begun ||= first
      if (!first || !opens || parsed(line) !== undefined) return read(line)
      held = [line]
      return []
    }
    held.push(line)
    // An exchange on one line: then the lines before it were invalid.
    if (!opens || !isExchange(parsed(line))) return []
    return release(held)
  }
  function release(those: readonly string[]): Recorded[] {
    held = undefined
    return those.flatMap(read)
  }

  for await (const piece of text) for (const line of lines.feed(piece)) yield* take(line)
  yield* take(lines.end())
  if (held === undefined) return
  const whole = parsed(held.join('\n'))
  yield* whole === undefined ? release(held) : understood(whole, 1, 'entry 1')
}

function recordedEntry(entry: unknown, number: number, attachment: ReadAttachment): Recorded {
  const found = isObject(entry) ? entry : {}
  const { request, response } = found as { request?: { url?: unknown }; response?: { status?: unknown } }
  if (request === undefined || request === null) return { number, trouble: `entry ${number} has no request` }
  if (response === undefined || response === null)
    return typeof request.url === 'string'
      ? { number, aborted: request.url }
      : { number, trouble: `entry ${number} has no request.url` }
  const attached = withAttachments(found, attachment)
  const read = exchangeInHar(attached.entry)
  if (read === undefined)
    return typeof request.url === 'string' && isNone(response.status)
      ? { number, aborted: request.url }
      : { number, trouble: `entry ${number} has no request.url or no response.status` }
  if (read.trouble !== undefined)
    return { number, trouble: `entry ${number} is not one of HAR: ${read.trouble}` }
  const { exchange } = read
  return {
    number,
    exchange: attached.missing === undefined ? exchange : { ...exchange, unjudged: attached.missing },
  }
}

function exchangeOf(value: unknown, number: number, place: string, known: KnownRequest): Recorded[] {
  const { request, response } = (value ?? {}) as { request?: unknown; response?: unknown }
  const { url = known.url, method = known.method, ...rest } = { ...(request as PlainExchange['request']) }
  const { status } = (response ?? {}) as { status?: unknown }
  if (typeof url === 'string' && (response === null || isNone(status))) return [{ number, aborted: url }]
  if (typeof url !== 'string' || typeof status !== 'number')
    return [{ number, trouble: `${place} is not an exchange: it needs request.url and response.status` }]
  return [
    {
      number,
      exchange: {
        ...(value as PlainExchange),
        request: { ...rest, url, method: method ?? undefined },
        response: withBytes(response as PlainExchange['response']),
      },
    },
  ]
}

/** JSON of a Buffer is an object of its own form, which no response of the interface has. */
function withBytes(response: PlainExchange['response']): PlainExchange['response'] {
  const { body } = response
  if (!isObject(body) || body.type !== 'Buffer' || !Array.isArray(body.data)) return response
  return { ...response, body: Buffer.from(body.data) }
}

/** Whether a status says that there was no response. */
function isNone(status: unknown): boolean {
  return typeof status === 'number' && status <= 0
}

function isExchange(value: unknown): boolean {
  return isObject(value) && 'request' in value && 'response' in value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface LineSplitter {
  /** The next piece of the text. @returns the lines that end in it, without their line feeds */
  feed(text: string): string[]
  /** The text after the last line feed. */
  end(): string
}

/** Splits a text into lines as it arrives. */
function createLineSplitter(): LineSplitter {
  let begun: string[] = []
  return {
    feed(text) {
      const [first = '', ...rest] = text.split('\n')
      begun.push(first)
      if (rest.length === 0) return []
      const lines = [begun.join(''), ...rest]
      begun = [lines.pop() ?? '']
      return lines
    },
    end: () => begun.join(''),
  }
}
