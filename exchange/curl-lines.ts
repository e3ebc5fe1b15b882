/**
 * Formats exchanges as lines of one shell script: each takes the ids and tokens that it needs from the responses before.
 *
 * @module
 */

import { curlLine } from './curl.ts'
import type { Exchange } from './exchange.ts'
import { isVariable } from './secrets/secret-names.ts'

type Request = Exchange['request']

/** What a line keeps of its response, for the lines after it. */
interface Capture {
  /** Position of the exchange. */
  at: number
  key: 'id' | 'token'
  /** Of the shell variable. */
  name: string
}

/** The requests after it contain the id. Which token a response had is not known: it is redacted. */
interface CapturedId extends Capture {
  value: string
}

/** Shorter ids may also be part of other values: they are replaced only if nothing else can be meant. */
const ample = 10

/** @param exchanges redacted, oldest first */
export function curlLines(exchanges: readonly Exchange[]): string[] {
  const ids = idsOf(exchanges)
  const { tokens, named } = tokensOf(exchanges)
  return named.map((exchange, at) => {
    const earlier = ids.filter((each) => each.at < at)
    const line = curlLine({ ...exchange, request: withIds(exchange.request, earlier) })
    return capturing(
      line,
      [...tokens, ...ids].filter((each) => each.at === at),
    )
  })
}

/** Ids that a response shows first, and that a later request needs. */
function idsOf(exchanges: readonly Exchange[]): CapturedId[] {
  const ids: CapturedId[] = []
  for (const [at, exchange] of exchanges.entries()) {
    const value = firstIn('id', exchange)
    // An id that the client chose is the same at the next run.
    if (value === undefined || !/^[\w-]+$/.test(value) || mentions(exchange.request, value)) continue
    if (ids.some((each) => each.value === value)) continue
    if (exchanges.slice(at + 1).some(({ request }) => mentions(request, value)))
      ids.push({ at, key: 'id', name: numbered('ID', ids.length), value })
  }
  return ids
}

/**
 * The tokens that later requests send, and the exchanges with the variables in which the lines keep them. Redacted
 * exchanges do not show which token a request sends: if several accounts sign in, it is the token of the record that the
 * request is about, or it stays as it is.
 */
function tokensOf(exchanges: readonly Exchange[]): { tokens: Capture[]; named: Exchange[] } {
  const tokens: Capture[] = []
  const bound = new Map<string, Capture>()
  const signIns = exchanges.flatMap((each, place) =>
    firstIn('token', each) === undefined ? [] : [{ place, id: firstIn('id', each) }],
  )
  const named = exchanges.map((exchange, at) => {
    const { authorization = '' } = exchange.request.headers
    if (!isVariable(authorization) || !authorization.startsWith('$TOKEN_')) return exchange
    const earlier = signIns.filter(({ place }) => place < at)
    const own = earlier.findLast(({ id }) => id !== undefined && mentions(exchange.request, id))
    const signIn = own ?? (earlier.length === 1 ? earlier[0] : undefined)
    if (signIn === undefined) return exchange
    // A later refresh gives another token, and a check may continue with the first.
    const binding = `${authorization} ${signIn.id}`
    let token = bound.get(binding) ?? tokens.find((each) => each.at === signIn.place)
    if (token === undefined) {
      const base = authorization.slice(1)
      const name = numbered(base, tokens.filter((each) => each.name.startsWith(base)).length)
      token = { at: signIn.place, key: 'token', name }
      tokens.push(token)
    }
    bound.set(binding, token)
    const headers = { ...exchange.request.headers, authorization: `$${token.name}` }
    return { ...exchange, request: { ...exchange.request, headers } }
  })
  return { tokens, named }
}

/** The first value of the key in the response to a POST, which is the one that the shell finds. */
function firstIn(key: Capture['key'], { request, response }: Exchange): string | undefined {
  if (request.method !== 'POST' || response === undefined || response.status >= 400) return undefined
  return new RegExp(`"${key}": *"([^"]+)"`).exec(response.body)?.[1]
}

function mentions(request: Request, id: string): boolean {
  const { url, body } = withIds(request, [{ name: 'ID', value: id }])
  return url !== request.url || body !== request.body
}

function withIds(request: Request, ids: readonly Pick<CapturedId, 'name' | 'value'>[]): Request {
  let { url, body } = request
  for (const { name, value } of ids) {
    if (value.length >= ample) {
      url = url.replaceAll(value, `$${name}`)
      body = body.replaceAll(value, `$${name}`)
      continue
    }
    url = url.replace(new RegExp(`(?<=/records/)${value}(?=$|[/?])`), `$$${name}`)
    body = body.replaceAll(`"${value}"`, `"$${name}"`)
  }
  return { ...request, url, ...(request.octets === undefined && { body }) }
}

function numbered(name: string, before: number): string {
  return before === 0 ? name : `${name}_${before + 1}`
}

/** The same line, which also shows its response. */
function capturing(line: string, captures: readonly Capture[]): string {
  const [first, ...others] = captures
  if (first === undefined) return line
  if (others.length === 0) return `${first.name}=$(${line} | tee /dev/stderr | ${finding(first)})`
  const found = captures.map((each) => `${each.name}=$(echo "$RESPONSE" | ${finding(each)})`)
  return [`RESPONSE=$(${line})`, 'echo "$RESPONSE"', ...found].join('; ')
}

const finding = ({ key }: Capture) => `grep -o '"${key}": *"[^"]*"' | head -1 | cut -d'"' -f4`
