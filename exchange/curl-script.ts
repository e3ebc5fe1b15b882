/**
 * Formats exchanges as lines of one shell script: each takes the ids and tokens that it needs from the responses before.
 *
 * @module
 */

import { curlLine } from './curl.ts'
import type { Exchange } from './exchange.ts'
import { isPlaceholder } from './secrets/secret-names.ts'

/** What a line keeps of its response, for the lines after it. */
interface Capture {
  key: 'id' | 'token'
  /** Of the shell variable. */
  name: string
  /** What later requests contain; of a token, its name with a dollar sign. */
  value: string
}

/** Shorter ids occur in other places by chance: they are replaced only where nothing else can be meant. */
const ample = 10

/** @param exchanges redacted, oldest first */
export function curlLines(exchanges: readonly Exchange[]): string[] {
  const known: Capture[] = []
  return exchanges.map((exchange, at) => {
    const line = curlLine({ ...exchange, request: withNames(exchange.request, known) })
    const captures = (['token', 'id'] as const).flatMap((key) => {
      const value = captured(key, exchange)
      if (value === undefined || known.some((each) => each.value === value)) return []
      const isUsed = exchanges.slice(at + 1).some(({ request }) => mentions(request, key, value))
      return isUsed ? [{ key, value, name: key === 'token' ? value.slice(1) : idName(known) }] : []
    })
    known.push(...captures)
    return capturing(line, captures)
  })
}

/** The first value of the key in the response, which is the one that the shell finds. */
function captured(key: Capture['key'], { request, response }: Exchange): string | undefined {
  if (request.method !== 'POST' || response === undefined || response.status >= 400) return undefined
  const [, value = ''] = new RegExp(`"${key}": *"([^"]*)"`).exec(response.body) ?? []
  if (key === 'token') return isPlaceholder(value) ? value : undefined
  // An id that the client chose is the same at the next run.
  return /^[\w-]+$/.test(value) && !mentions(request, key, value) ? value : undefined
}

function mentions(request: Exchange['request'], key: Capture['key'], value: string): boolean {
  if (key === 'token') return Object.values(request.headers).includes(value)
  const { url, body } = withNames(request, [{ key, name: 'ID', value }])
  return url !== request.url || body !== request.body
}

function withNames(request: Exchange['request'], known: readonly Capture[]): Exchange['request'] {
  let { url, body } = request
  for (const { key, name, value } of known) {
    if (key === 'token') continue
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

function idName(known: readonly Capture[]): string {
  const number = known.filter(({ key }) => key === 'id').length + 1
  return number === 1 ? 'ID' : `ID_${number}`
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
