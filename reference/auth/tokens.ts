/**
 * Signed tokens (contract-auth 1.3): HS256, signed with the record's `tokenKey` followed by the table's secret for that
 * kind, so rotating either ends every token immediately. A `jti` distinguishes two tokens of the same second.
 *
 * @module
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../exchange/json-object.ts'
import { parseJson } from '../http/strict-json.ts'
import { RecentMap } from '../limits/recent-map.ts'
import type { Environment, Reader, Row, Table } from '../vocabulary.ts'

/** What a token is for. */
export type TokenKind = 'auth' | 'file' | 'verification' | 'passwordReset' | 'emailChange'

const optionOf = {
  auth: 'authToken',
  file: 'fileToken',
  verification: 'verificationToken',
  passwordReset: 'passwordResetToken',
  emailChange: 'emailChangeToken',
} as const

/** Verified tokens kept, those used last, so that most requests need no signature check. */
const kept = { entries: 5_000, characters: 2_000_000 }

/** Longest token that is read, in characters. Our own tokens have a tenth of it, with two addresses in them. */
const longest = 16_384

const jtiAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

export interface TokenClaims {
  readonly type: TokenKind
  readonly id: string
  readonly collectionId: string
  /** Seconds since the epoch. */
  readonly exp: number
  readonly refreshable?: boolean
  readonly email?: string
  readonly newEmail?: string
  /** Makes tokens unique; absent in tokens from other issuers. */
  readonly jti?: string
}

export interface VerifiedToken {
  text: string
  table: Table
  row: Row
  claims: TokenClaims
}

export interface SignOptions {
  /** Seconds. @default the table's duration for the kind */
  duration?: number
  /** @default true; of kind `auth` only */
  refreshable?: boolean
  email?: string
  newEmail?: string
}

export interface Tokens {
  sign(table: Table, row: Row, kind: TokenKind, options?: SignOptions): Promise<string>
  /** Undefined for a token that is malformed, expired, of another kind, tampered with or ended by a rotation. */
  verify(reader: Reader, text: string, kind: TokenKind): Promise<VerifiedToken | undefined>
  /** Whether the text is a token of this server, valid or not. False for a token that was last used long ago. */
  issued(text: string): boolean
}

function keyText(table: Table, row: Row, kind: TokenKind): string {
  return String(row.values.tokenKey) + (table.definition[optionOf[kind]]?.secret ?? '')
}

/**
 * Three parts, each in the only valid base64url spelling of its bytes. Decoders ignore white space, padding and spare
 * bits, so without this check a modified token might be accepted.
 */
function isCanonical(text: string): boolean {
  const parts = text.split('.', 4)
  return (
    text.length <= longest &&
    parts.length === 3 &&
    parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/** The claims of a token, not verified: call `verify` to trust them. */
export function readClaims(text: string): TokenClaims | undefined {
  if (text.length > longest) return undefined
  try {
    const payload = Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('utf8')
    const { type, id, collectionId, exp, ...rest } = JSON.parse(payload) as Record<string, unknown>
    if (typeof type !== 'string' || !Object.hasOwn(optionOf, type)) return undefined
    if (typeof id !== 'string' || typeof collectionId !== 'string' || typeof exp !== 'number')
      return undefined
    return {
      type: type as TokenKind,
      id,
      collectionId,
      exp,
      refreshable: rest.refreshable === true,
      ...(typeof rest.email === 'string' && { email: rest.email }),
      ...(typeof rest.newEmail === 'string' && { newEmail: rest.newEmail }),
      ...(typeof rest.jti === 'string' && { jti: rest.jti }),
    }
  } catch {
    return undefined
  }
}

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

/** By Node itself: a library that tests with `instanceof` for bytes does not work where jsdom has replaced their class. */
function signatureOf(signed: string, key: string): Buffer {
  return createHmac('sha256', key).update(signed).digest()
}

/** Whether a token has this signature and is already valid. Another server may have issued it, with the same key. */
function isSigned(text: string, key: string, now: number): boolean {
  const [head = '', claims = '', signature = ''] = text.split('.')
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(`${head}.${claims}`, key)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const [known, { nbf = 0 }] = [partOf(head), partOf(claims)]
  return known.alg === 'HS256' && known.crit === undefined && typeof nbf === 'number' && nbf <= now / 1000
}

function partOf(part: string): Readonly<Record<string, unknown>> {
  const value = parseJson(Buffer.from(part, 'base64url').toString())
  return isObject(value) ? value : {}
}

/** Signs and verifies with the clock and the random source of one reference. */
export function createTokens(environment: Environment): Tokens {
  const verified = new RecentMap<{ key: string; claims: TokenClaims }>(kept)

  return {
    async sign(table, row, kind, options = {}) {
      const duration = options.duration ?? table.definition[optionOf[kind]]?.duration ?? 1800
      const exp = Math.floor(environment.now() / 1000) + duration
      const claims = {
        type: kind,
        id: row.id,
        collectionId: table.id,
        exp,
        jti: environment.random(jtiAlphabet, 12),
        refreshable: kind === 'auth' ? (options.refreshable ?? true) : undefined,
        email: options.email,
        newEmail: options.newEmail,
      }
      const key = keyText(table, row, kind)
      const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      const text = `${signed}.${signatureOf(signed, key).toString('base64url')}`
      // Tokens that were signed here need no check: a signature check takes half a millisecond, a look-up a thousandth
      // of that.
      verified.set(text, { key, claims })
      return text
    },

    async verify(reader, text, kind) {
      const known = verified.get(text)
      if (known === undefined && !isCanonical(text)) return undefined
      const claims = known?.claims ?? readClaims(text)
      if (claims === undefined || claims.type !== kind) return undefined
      if (claims.exp <= Math.floor(environment.now() / 1000)) return undefined
      const table = reader.table(claims.collectionId)
      if (table?.type !== 'auth') return undefined
      const row = reader.get(table, claims.id)
      if (row === undefined) return undefined
      const key = keyText(table, row, kind)
      if (known?.key !== key) {
        if (!isSigned(text, key, environment.now())) return undefined
        verified.set(text, { key, claims })
      }
      return { text, table, row, claims }
    },

    issued: (text) => verified.get(text) !== undefined,
  }
}
