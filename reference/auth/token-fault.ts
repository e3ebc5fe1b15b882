/**
 * For the log: who sent a request, and why its token is not valid. The reasons never contain a token.
 *
 * @module
 */

import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import { sentToken } from '../../exchange/sent-token.ts'
import { quoted } from '../../spec/nearest.ts'
import type { RejectionReason } from '../errors.ts'
import type { RequestContext, Services } from '../services.ts'
import type { Caller, Reader, Table } from '../vocabulary.ts'
import { readClaims, type TokenKind } from './tokens.ts'

const purposes: Readonly<Record<TokenKind, string>> = {
  auth: 'a session',
  file: 'protected files',
  verification: 'a verification',
  passwordReset: 'a password reset',
  emailChange: 'an email change',
}

/** The caller at the time of the request. For an invalid token: why it is invalid. */
export function callerAtPresent(context: RequestContext): () => string {
  const { caller, headers } = context
  // Requests for protected files ignore the header.
  if (caller.kind === 'guest' && context.c !== 'protectedFile') {
    const fault = tokenFault(() => sentToken(headers().authorization), context.services)
    return () => {
      const fact = fault()
      return fact === undefined ? 'a guest' : `a guest, since ${fact}`
    }
  }
  return () => callerName(caller)
}

/** `members/RECORD_ID`, or the API key by its name. */
function callerName(caller: Caller): string {
  if (caller.kind === 'guest') return 'a guest'
  if (caller.kind === 'key') return `the API key ${quoted(caller.key.name || caller.key.id)}`
  return `${caller.table.name}/${caller.row.id}`
}

/**
 * Why a token is not valid at present, as the end of a sentence; undefined for an empty token. The returned function
 * can be called later, and still gives the reason of this moment.
 */
export function tokenFault(
  textOf: () => string,
  { store, environment, tokens }: Pick<Services, 'store' | 'environment' | 'tokens'>,
  kind: TokenKind = 'auth',
): () => string | undefined {
  const reader = store.current
  const now = environment.now()
  return () => {
    const text = textOf()
    return text === '' ? undefined : faultOf({ text, kind, now, reader, issued: tokens.issued(text) })
  }
}

interface Sight {
  text: string
  kind: TokenKind
  now: number
  reader: Reader
  /** It was made by this server. */
  issued: boolean
}

function faultOf({ text, kind, now, reader, issued }: Sight): string {
  if (isApiKey(text)) return 'the API key does not exist'
  const damage = damageOf(text)
  if (damage !== undefined) return damage
  const claims = readClaims(text)
  if (claims === undefined)
    return kind === 'auth'
      ? 'the Authorization header holds no token of this server'
      : 'the token is not one of this server'
  if (claims.type !== kind) return `the token is for ${purposes[claims.type]}, not for ${purposes[kind]}`
  if (claims.exp * 1000 <= now)
    return `the token expired at ${timeText(claims.exp * 1000)}, and the clock of the server says ${timeText(now)}`
  const table = reader.table(claims.collectionId)
  if (table === undefined || reader.get(table, claims.id) === undefined)
    return `the account of the token, ${table?.name ?? claims.collectionId}/${claims.id}, does not exist`
  const changed = `${table.name}/${claims.id} has another password, email or token key since`
  if (issued) return `the token was ended: ${changed}`
  const { length } = text.split('.', 3)[2] ?? ''
  return length === signatureLength
    ? `the signature of the token is wrong: the token was changed or cut off, ${changed}, or another server issued it`
    : `the signature of the token has ${length} characters instead of ${signatureLength}: the token was cut off, or something was added`
}

/** Characters of an HS256 signature: 32 bytes in base64url. */
const signatureLength = 43

/** What happened to a token before it was sent. Undefined for a text in the form of a token, and for any other text. */
function damageOf(text: string): string | undefined {
  if (/^(["']).*\1$/.test(text)) return 'the token is in quotes: send it without them'
  // Every token begins with the start of a JSON object in base64url.
  if (/^\S+ +ey/.test(text)) return 'the token follows another word: send it alone, or after "Bearer "'
  if (!text.startsWith('ey')) return undefined
  const parts = text.split('.', 9).filter((part) => part !== '')
  if (parts.length < 3) return `the token has ${parts.length} of 3 parts: it was cut off`
  return parts.length === 3 ? undefined : `the token has ${parts.length} parts instead of 3`
}

export function timeText(time: number): string {
  return new Date(time).toISOString()
}

/** The reason for rejecting a guest where an operation requires the session of a record. */
export function noSession(context: RequestContext): RejectionReason {
  const caller = callerAtPresent(context)
  return () => {
    const text = caller()
    return text === 'a guest' ? 'The request has no Authorization header.' : `The caller is ${text}.`
  }
}

/** The reason for rejecting the token of a link in an email. */
export function linkFault(services: Services, text: string, kind: TokenKind, table: Table): RejectionReason {
  const fault = tokenFault(() => text, services, kind)
  const claims = readClaims(text)
  const other = claims && services.store.current.table(claims.collectionId)
  return () => {
    if (other !== undefined && other.id !== table.id)
      return `The token belongs to ${other.name}/${claims?.id}, and the path names "${table.name}".`
    return sentence(fault() ?? 'the token is empty')
  }
}

/** The same, for a token that lacks the address. */
export function noAddress(...[services, text, kind, table]: Parameters<typeof linkFault>): RejectionReason {
  if (readClaims(text)?.type !== kind) return linkFault(services, text, kind, table)
  return () => `The token for ${purposes[kind]} names no email address.`
}

/** Makes a sentence of the end of a sentence. */
export function sentence(fact: string): string {
  return `${fact.charAt(0).toUpperCase()}${fact.slice(1)}.`
}
