/**
 * Names and forms of values that a server must never show. The checks of the suite have a separate list, so that one
 * mistake cannot hide in both.
 *
 * @module
 */

const hash = String.raw`\$2[aby]\$\d\d\$|\$scrypt\$|\$argon2`
const keys = ['tokenKey', 'passwordHash']

/** Fields of auth tables that no response shows. */
export const innerFields: ReadonlySet<string> = new Set(['password', 'tokenKey'])

/** Whether a key of a response is the name of a secret. */
export function isSecretKey(key: string): boolean {
  return keys.includes(key)
}

/** Matches a password hash. */
export const hashForm = new RegExp(`^(?:${hash})`)

/** Matches a complete project API key. Redaction also matches parts of one: `redact.ts`. */
export const apiKeyForm = /^rak_[A-Za-z0-9]+_[A-Za-z0-9]{20,}$/

const keyInText = new RegExp(`"(?:${keys.join('|')})"\\s*:`)
const hashInText = new RegExp(`"(?:${hash})`)

/** Whether JSON text, valid or not, contains the name of a secret as a key, or a hash. */
export function showsSecret(text: string): boolean {
  return keyInText.test(text) || hashInText.test(text)
}
