/**
 * Names and forms of values that a server must never show. The checks of the suite have a separate list, so that one
 * mistake cannot hide in both.
 *
 * @module
 */

const hash = String.raw`\$2[abxy]\$\d\d\$|\$scrypt\$|\$argon2|\$pbkdf2|\$[56y]\$[^\s"]{20}`
const keys: ReadonlySet<string> = new Set([
  'tokenKey',
  'passwordHash',
  'password_hash',
  'passwordDigest',
  'password_digest',
  'hashedPassword',
  'hashed_password',
  'encryptedPassword',
  'encrypted_password',
])

/** Fields of auth tables that no response shows. */
export const innerFields: ReadonlySet<string> = new Set(['password', 'tokenKey'])

/** Fields that the control endpoints do not show either: hashes of codes and keys, which no operation reads. */
export const storedSecrets: ReadonlySet<string> = new Set([...innerFields, 'hash'])

/** Fields of a request that contain a password. */
export const passwordFields: readonly string[] = ['password', 'passwordConfirm', 'oldPassword']

/** Whether an Authorization value, or the token in it, begins like a project API key. */
export function isApiKey(authorization: string): boolean {
  return /^(?:Bearer +)?rak_/i.test(authorization)
}

/** Whether a key of a response is the name of a secret. */
export function isSecretKey(key: string): boolean {
  return keys.has(key)
}

/** Matches a password hash. */
export const hashForm = new RegExp(`^(?:${hash})`)

/** Matches a complete project API key. */
export const apiKeyForm = /^rak_[A-Za-z0-9]+_[A-Za-z0-9]{20,}$/

/** Matches project API keys in a text, cut ones included. The group is the id of the key. */
export const apiKeyInText = /rak_([A-Za-z0-9]+)_[A-Za-z0-9]+/g

/** The id in a project API key, which is not secret. Undefined for any other token. */
export function apiKeyId(token: string): string | undefined {
  return /^rak_([A-Za-z0-9]+)_/.exec(token)?.[1]
}

const keyInText = new RegExp(`"(?:${[...keys].join('|')})"\\s*:`)
const hashInText = new RegExp(`"(?:${hash})`)

/** Whether JSON text, valid or not, contains the name of a secret as a key, or a hash. */
export function showsSecret(text: string): boolean {
  return keyInText.test(text) || hashInText.test(text)
}
