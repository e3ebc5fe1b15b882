/**
 * Names of secrets: keys of JSON and forms, parameters, headers, cookies.
 *
 * @module
 */

const endings: readonly (readonly [RegExp, string])[] = [
  [/tokenkey$/, '$SECRET'],
  [/(?:password|passwd|pwd|passphrase)(?:hash|confirm|confirmation)?$/, '$PASSWORD'],
  [/(?:token|jwt|authorization)$/, '$TOKEN'],
  [/(?:secret|secretkey|privatekey|verifier|cookie|sessionid)$/, '$SECRET'],
  [/(?:apikey|accesskey)$/, '$KEY'],
]

const known = new Map<string, string | null>()
const mostKnown = 5_000

/**
 * The replacement for the value of a key: `$PASSWORD` for `passwordConfirm`. Undefined if the key does not name a
 * secret.
 */
export function secretName(key: string): string | undefined {
  if (key.length > 100) return undefined
  const kept = known.get(key)
  if (kept !== undefined) return kept ?? undefined
  const bare = key.toLowerCase().replace(/[^a-z]/g, '')
  const name = endings.find(([ending]) => ending.test(bare))?.[1]
  if (known.size < mostKnown) known.set(key, name ?? null)
  return name
}

/**
 * Whether the value under a name may be a credential. For body keys with any modifier, query parameters and headers.
 * Wider than `secretName`: an archive is only read, while the exchanges of a run are sent again, and need the
 * identifiers that belong to a code.
 */
export function mayAdmit(name: string): boolean {
  const bare = name.replace(/:\w+$/, '')
  return secretName(bare) !== undefined || /password|secret|^\W?(?:code|otpId|mfaId|key)\W?$/i.test(bare)
}

/**
 * Whether any part of a name sounds like a secret. Wider than `secretName`: for what is written to disk without
 * redaction, where a harmless field with such a name is not needed.
 */
export function soundsSecret(name: string): boolean {
  return /pass|secret|token/i.test(name)
}

const names = /\$(?:TOKEN|PASSWORD|SECRET|KEY|CODE|PROOF)(?:_[A-Z0-9_]+)?/

/** Matches the names in a redacted text, and names of ids. `curl` puts them outside the quotes. */
export const placeholder = new RegExp(`${names.source}|\\$(?:OTP_|MFA_)?ID(?:_\\d+)?\\b`, 'g')

/** Whether a string is exactly one of these names: a secret may begin with a dollar sign too. */
export function isPlaceholder(text: string): boolean {
  return names.exec(text)?.[0] === text
}

const redaction = /^(?:[[<({*]*(?:redacted|filtered|masked|removed|hidden|secret)[\])>}*]*|[*•x.…]{3,})$/i

/** Whether a recorder put the value in the place of a secret: ours, or others' such as `[redacted]` and `***`. */
export function isRedaction(text: string): boolean {
  return isPlaceholder(text) || redaction.test(text)
}

/** Whether a value is exactly the name of an environment variable: `$GATEWAY_KEY`. */
export function isVariable(value: string): boolean {
  return /^\$[A-Za-z_]\w*$/.test(value)
}

/** Quick test whether a text may contain the name of a secret. Most do not. */
export function mayNameSecrets(text: string): boolean {
  return /pass|pwd|token|jwt|authori[sz]ation|secret|private|verifier|cookie|session|api.?key|access.?key|"code"/i.test(
    text,
  )
}
