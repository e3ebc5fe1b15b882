/**
 * What an example keeps of an exchange: small enough for a terminal.
 *
 * @module
 */

import type { Exchange, RecordedMessage } from '../../../exchange/exchange.ts'
import { isJson } from '../../../exchange/is-json.ts'
import { isObject } from '../../../exchange/json-object.ts'
import { withoutNotes } from '../../../harness/judging/without-notes.ts'
import { differenceOf, factOf } from '../../../harness/report/entry.ts'
import type { Finding } from '../../../harness/vocabulary/finding.ts'
import type {
  ExampleExchange,
  ExampleExchanges,
  ExampleRequest,
  FailingExample,
} from '../../../spec/example-exchanges.ts'

/** Characters of a body, a path or a header. */
const longest = 600
/** Characters of the problem. */
const longestProblem = 300
/** Elements of a list in a long body. */
const mostElements = 2
/** Characters of a string in a long body. */
const longestString = 80
/** Other ones in each exchange. */
const changing = ['content-length', 'date', 'host', 'keep-alive', 'user-agent']
/** Every request or response has them. */
const usual = [
  ...['accept', 'accept-encoding', 'connection', 'transfer-encoding', 'access-control-allow-origin', 'vary'],
  ...['x-content-type-options', 'x-frame-options', 'x-xss-protection'],
]

/** Of a response, it goes without saying. */
const jsonType = ['content-type', 'application/json']

export interface ShownExchange {
  /** Makes the state that the exchange shows. */
  before?: Exchange | undefined
  exchange: Exchange
}

export interface ToShow {
  conforming: ShownExchange | undefined
  failing: (ShownExchange & { defect: string; finding: Finding }) | undefined
}

export function examplesOf({ conforming, failing }: ToShow): ExampleExchanges {
  const right = conforming === undefined ? undefined : exampleOf(conforming, failing)
  const missing = whyMissing(right === undefined, failing === undefined)
  return {
    conforming: right,
    failing: failing && failingOf(failing, conforming, right),
    missing,
  }
}

function failingOf(
  { defect, finding, ...shown }: NonNullable<ToShow['failing']>,
  conforming: ShownExchange | undefined,
  right: ExampleExchange | undefined,
): FailingExample {
  const { request, response, before } = exampleOf(shown, conforming)
  const message = withoutNotes(finding.message)
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  return {
    defect,
    problem: cut(factOf({ message, difference: differenceOf(finding) }), longestProblem),
    ...(before === undefined || isSame(before, right?.before) ? {} : { before }),
    ...(isSame(request, right?.request) ? {} : { request }),
    response,
  }
}

function whyMissing(noConforming: boolean, noFailing: boolean): string | undefined {
  if (noConforming && noFailing) return 'its check sends no request that a report shows'
  if (noConforming) return 'its check sends no request that a report shows when it passes'
  if (noFailing) return 'the defects that its check is tested with leave no request that a report shows'
  return undefined
}

/** @param other what is shown next to it: a header in which they differ matters */
function exampleOf({ exchange, before }: ShownExchange, other: ShownExchange | undefined): ExampleExchange {
  const { request, response } = exchange
  const next = other?.exchange
  const status = before?.response?.status
  return {
    ...(before === undefined || status === undefined
      ? {}
      : { before: { ...requestOf(before.request, other?.before?.request), status } }),
    request: requestOf(request, next?.request),
    ...(response === undefined
      ? {}
      : { response: { status: response.status, ...partsOf(response, next?.response) } }),
  }
}

function requestOf(request: Exchange['request'], other: RecordedMessage | undefined): ExampleRequest {
  const path = cut(request.url.replace(/^\w+:\/\/[^/]*/, ''))
  return { method: request.method, path, ...partsOf(request, other) }
}

function partsOf(message: RecordedMessage, other: RecordedMessage | undefined) {
  const { headers, body } = message
  // Otherwise it is not the headers that are wrong.
  const isAlike = other !== undefined && withoutDigits(body) === withoutDigits(other.body)
  const kept = Object.entries(headers).filter(([name, value]) => {
    if (changing.includes(name)) return isAlike && other.headers[name] === undefined
    const isUsual =
      usual.includes(name) || ('status' in message && name === jsonType[0] && value === jsonType[1])
    return !isUsual || (isAlike && other.headers[name] !== value)
  })
  return {
    ...(kept.length === 0
      ? {}
      : { headers: Object.fromEntries(kept.map(([name, value]) => [name, cut(value)])) }),
    ...(body === '' ? {} : { body: shortBody(body, other?.body) }),
  }
}

/** Times and ids differ in each run. */
function withoutDigits(body: string): string {
  return body.replace(/\d/g, '')
}

/**
 * Of a long JSON body, every key is kept, and some elements of each list: the first, and one in which it differs from the
 * body that is shown next to it.
 */
export function shortBody(body: string, other?: string): string {
  const text = body.trimEnd()
  if (text.length <= longest || !isJson(text)) return cut(text)
  const twin: unknown = other !== undefined && isJson(other) ? JSON.parse(other) : undefined
  return cut(JSON.stringify(shortened(JSON.parse(text), twin)))
}

function shortened(value: unknown, twin: unknown): unknown {
  if (typeof value === 'string') return cut(value, longestString)
  if (Array.isArray(value)) return shortList(value, Array.isArray(twin) ? twin : undefined)
  if (!isObject(value)) return value
  const others = isObject(twin) ? twin : {}
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, others[key])]))
}

function shortList(list: readonly unknown[], twin: readonly unknown[] | undefined): unknown[] {
  const short = (at: number) => shortened(list[at], twin?.[at])
  if (list.length <= mostElements) return list.map((_, at) => short(at))
  const differing = twin === undefined ? -1 : list.findIndex((each, at) => !isAlikeButTimes(each, twin[at]))
  const more = (count: number) => (count > 0 ? [`… ${count} more`] : [])
  if (differing < mostElements)
    return [...list.slice(0, mostElements).map((_, at) => short(at)), ...more(list.length - mostElements)]
  const first = mostElements - 1
  return [
    ...list.slice(0, first).map((_, at) => short(at)),
    ...more(differing - first),
    short(differing),
    ...more(list.length - differing - 1),
  ]
}

function isAlikeButTimes(one: unknown, other: unknown): boolean {
  const timeless = (value: unknown) => JSON.stringify(value)?.replace(/\d{4}(?:-\d\d){2}[ T][\d:.]+Z/g, '')
  return timeless(one) === timeless(other)
}

function cut(text: string, most = longest): string {
  return text.length > most ? `${text.slice(0, most).replace(/…$/, '')}…` : text
}
