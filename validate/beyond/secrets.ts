/**
 * No secret anywhere: keys that name one, hashes and project keys by their form, and what the caller itself sent as a
 * password or token. One pass over the parsed body, without recursion.
 *
 * @module
 */

import { headerOf } from '../exchange/header-of.ts'
import { isObject, type Judging } from './judging.ts'

const hash = /^(\$2[aby]\$\d\d\$|\$scrypt\$|\$argon2)/
const apiKey = /^rak_[A-Za-z0-9]+_[A-Za-z0-9]{20,}$/
const shortest = 8
const mayHoldTokens = new Set(['token', 'accessToken', 'refreshToken'])
const sentSecrets = ['password', 'passwordConfirm', 'oldPassword']

export function judgeSecrets(judging: Judging): void {
  const { reading, add, claim } = judging
  if (reading.body === undefined) return
  claim('wire.no-secrets')
  const key = findSecret(reading.body, sentBy(judging))
  if (key !== undefined) {
    const [name, what] = key
    add('wire.no-secrets', pointerTo(reading.body, name), 'no secret in any response', what)
  }
}

interface Sent {
  passwords: readonly string[]
  token: string | undefined
}

function sentBy({ reading, found }: Judging): Sent {
  const sent = headerOf(reading.requestHeaders, 'authorization')?.replace(/^Bearer /i, '')
  const token = sent !== undefined && sent.length >= shortest ? sent : undefined
  const { method } = found.entry
  if (method !== 'POST' && method !== 'PATCH') return { passwords: [], token }
  const body = requestObject(reading.requestBody)
  if (body === undefined) return { passwords: [], token }
  const passwords = sentSecrets
    .map((name) => body[name])
    .filter((value): value is string => typeof value === 'string' && value.length >= shortest)
  // One who sends the same text as an ordinary value gets it back as such.
  const plain = Object.entries(body).filter(([name]) => !sentSecrets.includes(name))
  return { passwords: passwords.filter((secret) => !plain.some(([, value]) => value === secret)), token }
}

/** The body of a request as an object, if it is one and in JSON. */
export function requestObject(body: unknown): Record<string, unknown> | undefined {
  if (body instanceof Uint8Array) return requestObject(new TextDecoder().decode(body))
  if (typeof body === 'string') {
    if (!body.trimStart().startsWith('{')) return undefined
    try {
      const parsed: unknown = JSON.parse(body)
      return isObject(parsed) ? parsed : undefined
    } catch {
      return undefined
    }
  }
  return isObject(body) && Object.getPrototypeOf(body) === Object.prototype ? body : undefined
}

/** Key and description of the first secret. */
function findSecret(body: unknown, { passwords, token }: Sent): [string, string] | undefined {
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop() as Record<string, unknown>
    for (const key in value) {
      const inner = value[key]
      if (typeof inner === 'string') {
        const what = secretIn(key, inner, passwords, token)
        if (what !== undefined) return [key, what]
      } else if (typeof inner === 'object' && inner !== null) waiting.push(inner)
    }
  }
  return undefined
}

function secretIn(
  key: string,
  value: string,
  passwords: readonly string[],
  token: string | undefined,
): string | undefined {
  if (key.length === 8 ? key === 'tokenKey' : key.length === 12 && key === 'passwordHash')
    return `a value under the key ${key}`
  const first = value.charCodeAt(0)
  if (first === 36 && hash.test(value)) return 'the hash of a password'
  if (first === 114 && apiKey.test(value)) return 'a project API key'
  for (const password of passwords) if (value.includes(password)) return 'the password that was sent'
  if (token !== undefined && value === token && !mayHoldTokens.has(key)) return 'the token that was sent'
  return undefined
}

/** Where a key first stands, for the message; the search is bounded, since it is only for that. */
function pointerTo(body: unknown, name: string): string {
  const waiting: [string, unknown][] = [['', body]]
  for (let looked = 0; waiting.length > 0 && looked < 10_000; looked++) {
    const [path, value] = waiting.shift() ?? ['', undefined]
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value) && Object.hasOwn(value, name)) return `${path}/${name}`
    for (const [key, inner] of Object.entries(value)) waiting.push([`${path}/${key}`, inner])
  }
  return ''
}
