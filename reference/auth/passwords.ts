/**
 * Password hashes: scrypt with its cost and salt written into the text, `scrypt$<log2 N>$<salt>$<hash>`.
 *
 * @module
 */

import { createHash, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Environment, Field } from '../vocabulary.ts'

const blockSize = 8
const keyLength = 32
const saltAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const usualCost = 10
/** Dearer ones would hold up the requests of everybody else. */
const highestCost = 14

/**
 * log2 of the scrypt cost: the environment's for all where it has one, else the field's. The family means another hash
 * by the number (contract-records 3.1), of which 10 is usual as well, and each step doubles the work of either.
 */
function costOf(environment: Environment, field: Field | undefined): number {
  if (environment.passwordCost !== undefined) return environment.passwordCost
  const cost = field?.definition.type === 'password' ? field.definition.cost : 0
  return Math.min(cost || usualCost, highestCost)
}

function derive(plain: string, salt: string, cost: number): Buffer {
  const options = { N: 2 ** cost, r: blockSize, p: 1, maxmem: 256 * (2 ** cost + 16) * blockSize }
  // Of one length: scrypt keys an HMAC with what it is given, which takes "secret" and "secret\0" for the same key.
  const digest = createHash('sha256').update(plain.normalize('NFC')).digest()
  return scryptSync(digest, salt, keyLength, options)
}

/** The text to store for a password of a field, or for another secret. */
export function hashPassword(environment: Environment, plain: string, field?: Field): string {
  const salt = environment.random(saltAlphabet, 22)
  const cost = costOf(environment, field)
  return `scrypt$${cost}$${salt}$${derive(plain, salt, cost).toString('base64url')}`
}

/**
 * Whether `plain` is the password of `stored`. Takes the same time whether it is or not, and also when there is
 * nothing stored: otherwise the time of an answer would tell which accounts exist.
 *
 * @param field where it would be stored
 */
export function verifyPassword(
  environment: Environment,
  plain: string,
  stored: string | undefined,
  field?: Field,
): boolean {
  const [scheme, cost, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || cost === undefined || salt === undefined || hash === undefined) {
    derive(plain, 'nobody', costOf(environment, field))
    return false
  }
  return timingSafeEqual(derive(plain, salt, Number(cost)), Buffer.from(hash, 'base64url'))
}
