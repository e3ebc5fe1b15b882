/**
 * What a server shows to nobody, by its name and by its form. The checks of the suite have a list of their own: one
 * mistake must not hide in both.
 *
 * @module
 */

const hash = String.raw`\$2[aby]\$\d\d\$|\$scrypt\$|\$argon2`
const keys = ['tokenKey', 'passwordHash']

/** Fields of auth tables that stay inside. */
export const innerFields: ReadonlySet<string> = new Set(['password', 'tokenKey'])

/** Whether a key of a response is the name of a secret. */
export function isSecretKey(key: string): boolean {
  return keys.includes(key)
}

/** A string that is the hash of a password. */
export const hashForm = new RegExp(`^(?:${hash})`)

/** A string that is a whole project API key. Redaction takes parts of one too: `redact.ts`. */
export const apiKeyForm = /^rak_[A-Za-z0-9]+_[A-Za-z0-9]{20,}$/

const keyInText = new RegExp(`"(?:${keys.join('|')})"\\s*:`)
const hashInText = new RegExp(`"(?:${hash})`)

/** Whether a text of JSON, whole or broken, holds the key of a secret, or a hash, anywhere. */
export function showsSecret(text: string): boolean {
  return keyInText.test(text) || hashInText.test(text)
}
