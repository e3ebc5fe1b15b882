/**
 * Formats exchanges as lines of one shell script: each takes the ids and tokens that it needs from the responses before.
 *
 * @module
 */

import { type CurlOptions, curlLine } from './curl.ts'
import type { Exchange } from './exchange.ts'
import { type PassedSecrets, passedSecrets } from './secrets/passed-secrets.ts'

type Request = Exchange['request']

/** Keys of responses that later requests use, with the variable in which a line keeps the value. */
const idNames = { id: 'ID', otpId: 'OTP_ID', mfaId: 'MFA_ID' } as const

/** What a line keeps of its response, for the lines after it. */
interface Capture {
  /** Position of the exchange. */
  at: number
  key: keyof typeof idNames | 'token'
  /** Of the shell variable. */
  name: string
}

/** An id that a response shows first. */
interface IssuedId {
  /** Position of the exchange. */
  at: number
  key: keyof typeof idNames
  value: string
}

/** The requests after it contain the id. Tokens are redacted, so they are matched by fingerprint instead. */
interface CapturedId extends Capture {
  value: string
}

/** Shorter ids may also be part of other values: they are replaced only if nothing else can be meant. */
const ample = 10

/** @param exchanges redacted, oldest first */
export function curlLines(
  exchanges: readonly Exchange[],
  options: Pick<CurlOptions, 'caFile'> = {},
): string[] {
  const ids = idsOf(exchanges)
  const { tokens, named, emailed } = secretsOf(exchanges)
  return named.map((exchange, at) => {
    const earlier = ids.filter((each) => each.at < at)
    const line = curlLine(
      { ...exchange, request: withIds(exchange.request, earlier) },
      { ...options, emailed },
    )
    return capturing(
      line,
      [...tokens, ...ids].filter((each) => each.at === at),
    )
  })
}

/**
 * The last exchanges, and before them those that issued an id or a token that they send: without those, no line could
 * run again.
 *
 * @param exchanges redacted, oldest first
 * @param most how many of the last, and at most as many before them
 */
export function lastWithIssuers(exchanges: readonly Exchange[], most: number): Exchange[] {
  const first = Math.max(0, exchanges.length - most)
  const last = exchanges.slice(first)
  if (first === 0) return last
  const ids = issuedIds(exchanges)
  const passed = exchanges.map(passedSecrets)
  const kept = new Set<number>()
  const keepIssuersOf = (at: number) => {
    const { request } = exchanges[at] as Exchange
    const issuers = [
      tokenIssuer(passed, at),
      ...ids.filter((each) => each.at < at && mentions(request, each.value)).map((each) => each.at),
    ]
    for (const issuer of issuers) {
      if (issuer === undefined || issuer >= first || kept.has(issuer) || kept.size >= most) continue
      kept.add(issuer)
      keepIssuersOf(issuer)
    }
  }
  // The deciding exchange is the last one.
  for (let at = exchanges.length - 1; at >= first; at -= 1) keepIssuersOf(at)
  return [...exchanges.filter((_, at) => kept.has(at)), ...last]
}

/** Ids that a response shows first, and that a later request needs. */
function idsOf(exchanges: readonly Exchange[]): CapturedId[] {
  const ids: CapturedId[] = []
  for (const { at, key, value } of issuedIds(exchanges)) {
    if (!exchanges.slice(at + 1).some(({ request }) => mentions(request, value))) continue
    const before = ids.filter((each) => each.key === key).length
    ids.push({ at, key, name: numbered(idNames[key], before), value })
  }
  return ids
}

function issuedIds(exchanges: readonly Exchange[]): IssuedId[] {
  const ids = new Map<string, IssuedId>()
  for (const [at, exchange] of exchanges.entries())
    for (const key of ['id', 'otpId', 'mfaId'] as const) {
      const value = firstIn(key, exchange)
      if (value === undefined || !/^[\w-]+$/.test(value) || ids.has(value)) continue
      // An id that the client chose is the same at the next run.
      if (!mentions(exchange.request, value)) ids.set(value, { at, key, value })
    }
  return [...ids.values()]
}

/** The exchanges with the variables in which the lines keep the secrets. */
interface NamedSecrets {
  /** The tokens that a response issues and a later request sends. */
  tokens: Capture[]
  named: Exchange[]
  /** Names of what only an email says, in the form `$CODE`. */
  emailed: Set<string>
}

/** Redacted exchanges do not show which token a request sends: fingerprints do. */
function secretsOf(exchanges: readonly Exchange[]): NamedSecrets {
  const passed = exchanges.map(passedSecrets)
  const issuers = passed.map((_, at) => tokenIssuer(passed, at))
  // A variable that holds a credential of the tester must keep it.
  const taken = new Set(['TOKEN_SUPERUSER'])
  for (const [at, { request }] of exchanges.entries()) {
    const name = nameIn(request.headers.authorization)
    if (name !== undefined && issuers[at] === undefined) taken.add(name)
  }
  const tokens: Capture[] = []
  const emailed = new Map<string, string>()
  const named = exchanges.map(({ ...exchange }, at) => {
    const { authorization } = exchange.request.headers
    const name = nameIn(authorization)
    const issuer = issuers[at]
    if (name !== undefined && issuer !== undefined) {
      let token = tokens.find((each) => each.at === issuer)
      if (token === undefined) {
        token = { at: issuer, key: 'token', name: freeName(nameOf(exchanges[issuer], name), taken) }
        tokens.push(token)
      }
      const headers = {
        ...exchange.request.headers,
        authorization: `${authorization?.slice(0, -name.length)}${token.name}`,
      }
      exchange.request = { ...exchange.request, headers }
    }
    exchange.request = withEmailed(exchange, passed[at], emailed)
    return exchange
  })
  return { tokens, named, emailed: new Set([...emailed.values()].map((name) => `$${name}`)) }
}

/** The first earlier response with the token that a request sends: a check may continue with it after a refresh. */
function tokenIssuer(passed: readonly PassedSecrets[], at: number): number | undefined {
  const token = passed[at]?.authorization
  const issuer = token === undefined ? -1 : passed.findIndex(({ issued }) => issued === token)
  return issuer < 0 || issuer >= at ? undefined : issuer
}

/** The name of a token in a redacted header, without its dollar sign. */
function nameIn(authorization = ''): string | undefined {
  return /^(?:Bearer +)?\$(TOKEN\w*)$/i.exec(authorization)?.[1]
}

/** A token of someone else, and one that replaces another, are called after the operation. */
function nameOf(issuer: Exchange | undefined, name: string): string {
  const url = issuer?.request.url ?? ''
  if (/\/impersonate\//.test(url)) return 'TOKEN_IMPERSONATED'
  if (/\/auth-refresh(?:$|\?)/.test(url)) return 'TOKEN_REFRESHED'
  return name === 'TOKEN_SUPERUSER' ? 'TOKEN_SIGNED_IN' : name
}

/** The name, or the next one that no other token has. */
function freeName(name: string, taken: Set<string>): string {
  let before = 0
  while (taken.has(numbered(name, before))) before += 1
  taken.add(numbered(name, before))
  return numbered(name, before)
}

/** Names the codes and proofs of a request: `$CODE`, and `$CODE_2` for the one of another email. */
function withEmailed(
  { operation, request }: Exchange,
  passed: PassedSecrets | undefined,
  emailed: Map<string, string>,
): Request {
  const named = (_: string, before: string, key: string, name: string) => {
    const isCode = name === 'CODE' || operation === 'authWithOtp'
    const print = passed?.body[key] ?? `${name} of unknown value`
    const kind = isCode ? 'CODE' : 'PROOF'
    const known = [...emailed.values()].filter((each) => each.startsWith(kind)).length
    const shown = emailed.get(print) ?? numbered(kind, known)
    emailed.set(print, shown)
    return `${before}$${shown}"`
  }
  // The code of a sign-in with a provider is not in an email. Very short codes are known by their key only.
  const inBody =
    operation === 'authWithOtp'
      ? /("(password)": *")\$(CODE|PASSWORD)"/g
      : /("(token|password)": *")\$(CODE|PROOF)"/g
  return { ...request, body: request.body.replace(inBody, named) }
}

/** The first value of the key in the response to a POST, which is the one that the shell finds. */
function firstIn(key: Capture['key'], { request, response }: Exchange): string | undefined {
  if (request.method !== 'POST' || response === undefined) return undefined
  // A second factor is requested with an error.
  if (response.status >= 400 && key !== 'mfaId') return undefined
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
    url = url.replace(new RegExp(`(?<=/(?:records|impersonate)/)${value}(?=$|[/?])`), `$$${name}`)
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
