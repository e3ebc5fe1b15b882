/**
 * Checks that a response contains no secret: keys that name one, hashes and project keys by their form, and, unless it is
 * a rejection, the password in the request. One pass over the parsed body, without recursion.
 *
 * @module
 */

import { isBytes } from '../../exchange/is-bytes.ts'
import { jsonObject } from '../../exchange/json-object.ts'
import {
  apiKeyForm,
  hashForm,
  hashWithin,
  isSecretKey,
  passwordFields,
  showsSecret,
} from '../../exchange/secrets/secret-key.ts'
import { isRedaction } from '../../exchange/secrets/secret-names.ts'
import type { ClaimBeyondSchema } from '../claims.ts'
import type { Judged } from './judging.ts'

const shortest = 8
const [fact, nothing] = ['a response contains a secret', 'no secret in any response']

export function judgeSecrets(judged: Judged): void {
  const { reading, add, claim } = judged
  const { text, body } = reading
  if (body === undefined) {
    if (text !== undefined && showsSecret(text))
      add('wire.no-secrets', '', nothing, 'a token key or a hash', fact)
    return
  }
  claim('wire.no-secrets')
  // A rejection may repeat what was sent: the form of errors is open (section 7).
  const sent = judged.reading.status < 400 ? passwordsSent(judged) : []
  const found = findSecret(body, sent)
  if (found === undefined) {
    if (quotesHash(judged)) add('wire.no-secrets', '', nothing, 'the hash of a password', fact)
    return
  }
  const [key, what] = found
  // The profile requires password fields to be hidden; the password of a sign-up is the credential.
  const requirement = what === theirPassword ? requirementOf(judged) : 'wire.no-secrets'
  add(requirement, pointerTo(body, key), nothing, what, fact)
}

/** A message may say why a request was rejected, but not with what is stored. It may repeat what was sent. */
function quotesHash({ reading: { status, text, request } }: Judged): boolean {
  if (status < 400 || text === undefined) return false
  const hash = hashWithin(text)
  return hash !== undefined && !sentText(request.body).includes(hash)
}

function sentText(body: unknown): string {
  if (isBytes(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

const theirPassword = 'the password that was sent'

function requirementOf({ reading, found }: Judged): ClaimBeyondSchema {
  const isWrite = found?.operation.id === 'createRecord' || found?.operation.id === 'updateRecord'
  const isSignUp = jsonObject(reading.request.body)?.passwordConfirm !== undefined
  return isWrite && !isSignUp ? 'password.never-shown' : 'wire.no-secrets'
}

/** Passwords that are not also the value of an ordinary field: such a value is returned legitimately. */
function passwordsSent({ reading, found }: Judged): readonly string[] {
  const method = found?.operation.method ?? reading.request.method
  if (method !== 'POST' && method !== 'PATCH') return []
  if (!mayNameSecret(reading.request.body)) return []
  const body = jsonObject(reading.request.body)
  if (body === undefined) return []
  const passwords = passwordFields
    .map((name) => body[name])
    .filter((value): value is string => typeof value === 'string' && value.length >= shortest)
    // A recording may show the same placeholder for the password and for a token.
    .filter((value) => !isRedaction(value))
  if (passwords.length === 0) return []
  const rest = Object.entries(body).filter(([name]) => !passwordFields.includes(name))
  const others = JSON.stringify(rest)
  return passwords.filter((password) => !others.includes(JSON.stringify(password).slice(1, -1)))
}

/** To parse a body of megabytes takes long, and few bodies have a password. Any escaped character may hide a name. */
function mayNameSecret(body: unknown): boolean {
  const text = isBytes(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body
  if (typeof text !== 'string' && !Buffer.isBuffer(text)) return true
  return text.includes('\\u') || passwordFields.some((name) => text.includes(name))
}

/** Key and description of the first secret. Runs over every value of every response, so it must be fast. */
function findSecret(body: unknown, passwords: readonly string[]): [string, string] | undefined {
  const anySent = passwords.length > 0
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const inner: unknown = value[at]
        if (typeof inner === 'object') {
          if (inner !== null) waiting.push(inner)
        } else if (typeof inner === 'string' && (anySent || suspicious('', inner))) {
          const what = secretIn('', inner, passwords)
          if (what !== undefined) return [String(at), what]
        }
      }
      continue
    }
    const object = value as Record<string, unknown>
    for (const key in object) {
      const inner = object[key]
      if (typeof inner === 'string') {
        if (!anySent && !suspicious(key, inner)) continue
        const what = secretIn(key, inner, passwords)
        if (what !== undefined) return [key, what]
      } else if (typeof inner === 'object' && inner !== null) waiting.push(inner)
    }
  }
  return undefined
}

/** First characters of hashes and project API keys: `$`, `p`, `r`, `s`, `{`. */
const firstOfSecrets: ReadonlySet<number> = new Set([36, 112, 114, 115, 123])

/** Quick test by the key or the first character of the value. */
function suspicious(key: string, value: string): boolean {
  return firstOfSecrets.has(value.charCodeAt(0)) || isSecretKey(key)
}

function secretIn(key: string, value: string, passwords: readonly string[]): string | undefined {
  if (isSecretKey(key)) return `a value under the key ${key}`
  if (hashForm.test(value)) return 'the hash of a password'
  if (apiKeyForm.test(value)) return 'a project API key'
  return passwords.some((password) => holds(value, password)) ? theirPassword : undefined
}

/** A password inside a longer string counts only if it is delimited and not an ordinary word. */
function holds(value: string, password: string): boolean {
  if (value === password) return true
  const at = value.indexOf(password)
  if (at < 0 || /^\p{L}+$/u.test(password)) return false
  const around =
    value.slice(Math.max(0, at - 1), at) + value.slice(at + password.length, at + password.length + 1)
  return !/[\p{L}\p{N}]/u.test(around)
}

/** First path of a key, for the message only, so the search is bounded. */
function pointerTo(body: unknown, name: string): string {
  const waiting: [string, unknown][] = [['', body]]
  for (let looked = 0; waiting.length > 0 && looked < 10_000; looked++) {
    const [path, value] = waiting.shift() ?? ['', undefined]
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, name) && typeof (value as Record<string, unknown>)[name] === 'string')
      return `${path}/${name}`
    for (const [key, inner] of Object.entries(value)) waiting.push([`${path}/${key}`, inner])
  }
  return ''
}
