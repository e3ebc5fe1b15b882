/**
 * No secret anywhere: keys that name one, hashes and project keys by their form, and what the caller itself sent as a
 * password or token. One pass over the parsed body, without recursion.
 *
 * @module
 */

import { headerOf } from '../../exchange/header-of.ts'
import { jsonObject } from '../../exchange/json-object.ts'
import { apiKeyForm, hashForm, isSecretKey } from '../../exchange/secrets/never-shown.ts'
import type { Judging } from './judging.ts'

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
  const { method } = found.operation
  if (method !== 'POST' && method !== 'PATCH') return { passwords: [], token }
  const body = jsonObject(reading.requestBody)
  if (body === undefined) return { passwords: [], token }
  const passwords = sentSecrets
    .map((name) => body[name])
    .filter((value): value is string => typeof value === 'string' && value.length >= shortest)
  // One who sends the same text as an ordinary value gets it back as such.
  const plain = Object.entries(body).filter(([name]) => !sentSecrets.includes(name))
  return { passwords: passwords.filter((secret) => !plain.some(([, value]) => value === secret)), token }
}

/** Key and description of the first secret. Runs over every value of every response, so it does little for each. */
function findSecret(body: unknown, sent: Sent): [string, string] | undefined {
  const anySent = sent.passwords.length > 0 || sent.token !== undefined
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const inner: unknown = value[at]
        if (typeof inner === 'object') {
          if (inner !== null) waiting.push(inner)
        } else if (typeof inner === 'string' && (anySent || suspicious('', inner))) {
          const what = secretIn('', inner, sent)
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
        const what = secretIn(key, inner, sent)
        if (what !== undefined) return [key, what]
      } else if (typeof inner === 'object' && inner !== null) waiting.push(inner)
    }
  }
  return undefined
}

/** Whether a second look is worth it: by the length of the key, or by the first character of the value, `$` or `r`. */
function suspicious(key: string, value: string): boolean {
  const first = value.charCodeAt(0)
  return first === 36 || first === 114 || key.length === 8 || key.length === 12
}

function secretIn(key: string, value: string, { passwords, token }: Sent): string | undefined {
  if (isSecretKey(key)) return `a value under the key ${key}`
  if (hashForm.test(value)) return 'the hash of a password'
  if (apiKeyForm.test(value)) return 'a project API key'
  if (passwords.some((password) => value.includes(password))) return 'the password that was sent'
  if (token !== undefined && value === token && !mayHoldTokens.has(key)) return 'the token that was sent'
  return undefined
}

/** Where a key first stands, for the message; the search is bounded, since it is only for that. */
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
