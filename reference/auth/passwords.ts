/**
 * Password hashes: scrypt with its cost and salt in the stored string, `scrypt$<log2 N>$<salt>$<hash>`.
 *
 * @module
 */

import { createHash, scryptSync, timingSafeEqual } from 'node:crypto'
import { alphanumeric } from '../environment/alphanumeric.ts'
import type { Environment, Field, Table, Value, Values } from '../vocabulary.ts'

const blockSize = 8
const keyLength = 32

const usualCost = 10
/** A higher cost would delay the requests of all other clients. */
const highestCost = 14

/**
 * log2 of the scrypt cost: the environment's if it has one, else the field's. In the living family the number is the
 * cost of another hash (contract-records 3.1). 10 is a common value for both, and each step doubles the work of both.
 */
function costOf(environment: Environment, field: Field | undefined): number {
  if (environment.passwordCost !== undefined) return environment.passwordCost
  const cost = field?.definition.type === 'password' ? field.definition.cost : 0
  return Math.min(cost || usualCost, highestCost)
}

function derive(plain: string, salt: string, cost: number): Buffer {
  const options = { N: 2 ** cost, r: blockSize, p: 1, maxmem: 256 * (2 ** cost + 16) * blockSize }
  // Passwords are hashed to one length first: scrypt keys an HMAC with its input, and an HMAC treats "secret" and
  // "secret\0" as the same key.
  const digest = createHash('sha256').update(plain.normalize('NFC')).digest()
  return scryptSync(digest, salt, keyLength, options)
}

/** The string to store for a password of a field, or for another secret. */
export function hashPassword(environment: Environment, plain: string, field?: Field): string {
  const salt = environment.random(alphanumeric, 22)
  const cost = costOf(environment, field)
  return `scrypt$${cost}$${salt}$${derive(plain, salt, cost).toString('base64url')}`
}

/**
 * The values with the plain text of their password fields hashed.
 *
 * @param isPlain whether the string that is in the field is plain text
 */
export function withHashedPasswords(
  { fields }: Pick<Table, 'fields'>,
  values: Values,
  environment: Environment,
  isPlain: (text: string, field: Field) => boolean,
): Record<string, Value> {
  const hashed: Record<string, Value> = { ...values }
  for (const field of fields) {
    const text = values[field.name]
    if (field.type === 'password' && typeof text === 'string' && text !== '' && isPlain(text, field))
      hashed[field.name] = hashPassword(environment, text, field)
  }
  return hashed
}

/**
 * Whether `plain` is the password of `stored`. Takes the same time for a correct password, a wrong one, and if nothing
 * is stored: otherwise the response time would reveal which accounts exist.
 *
 * @param field the field that stores it
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
