/**
 * Password hashes: scrypt with its cost and salt written into the text, `scrypt$<log2 N>$<salt>$<hash>`.
 *
 * @module
 */

import { createHash, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Environment } from '../vocabulary.ts'

const blockSize = 8
const keyLength = 32
const saltAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function derive(plain: string, salt: string, cost: number): Buffer {
  const options = { N: 2 ** cost, r: blockSize, p: 1, maxmem: 256 * (2 ** cost + 16) * blockSize }
  // Of one length: scrypt keys an HMAC with what it is given, which takes "secret" and "secret\0" for the same key.
  const digest = createHash('sha256').update(plain.normalize('NFC')).digest()
  return scryptSync(digest, salt, keyLength, options)
}

/** The text to store for a password. */
export function hashPassword(environment: Environment, plain: string): string {
  const salt = environment.random(saltAlphabet, 22)
  return `scrypt$${environment.passwordCost}$${salt}$${derive(plain, salt, environment.passwordCost).toString('base64url')}`
}

/**
 * Whether `plain` is the password of `stored`. Takes the same time whether it is or not, and also when there is
 * nothing stored: otherwise the time of an answer would tell which accounts exist.
 */
export function verifyPassword(environment: Environment, plain: string, stored: string | undefined): boolean {
  const [scheme, cost, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || cost === undefined || salt === undefined || hash === undefined) {
    derive(plain, 'nobody', environment.passwordCost)
    return false
  }
  return timingSafeEqual(derive(plain, salt, Number(cost)), Buffer.from(hash, 'base64url'))
}
