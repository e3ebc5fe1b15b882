/**
 * Names and forms of values that a server must never show. The checks of the suite have a separate list, so that one
 * mistake cannot hide in both.
 *
 * @module
 */

const hash = [
  String.raw`\$2[abxy]\$\d\d\$|\$scrypt\$|\$argon2|\$pbkdf2|\$[56y]\$[^\s"]{20}`,
  String.raw`pbkdf2_sha(?:1|256|512)\$\d+\$|scrypt:\d+:\d+:\d+\$|pbkdf2:sha\d+:\d+\$`,
  String.raw`\{SSHA(?:256|384|512)?\}[A-Za-z0-9+/]{20}`,
].join('|')
/** The same, so complete that they are recognized within a sentence. */
const wholeHash = [
  String.raw`\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}`,
  String.raw`\$(?:scrypt|argon2(?:id|i|d)|pbkdf2(?:-sha\d+)?)\$[^\s"'\\]{20}`,
  String.raw`\$[56y]\$[./A-Za-z0-9$=]{40}`,
  String.raw`pbkdf2_sha(?:1|256|512)\$\d+\$[^\s"$]+\$[A-Za-z0-9+/]{20}`,
  String.raw`(?:scrypt:\d+:\d+:\d+|pbkdf2:sha\d+:\d+)\$[^\s"$]+\$[0-9a-f]{40}`,
  String.raw`\{SSHA(?:256|384|512)?\}[A-Za-z0-9+/]{28}`,
].join('|')
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

const wholeHashForm = new RegExp(wholeHash)

/** The complete password hash within a text. Undefined if there is none. */
export function hashWithin(text: string): string | undefined {
  return wholeHashForm.exec(text)?.[0]
}

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
