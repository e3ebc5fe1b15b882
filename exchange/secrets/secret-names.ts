/**
 * Which names secrets stand under: keys of JSON and forms, parameters, headers, cookies.
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

/** The name that stands for whatever a key holds: `$PASSWORD` for `passwordConfirm`. Undefined where it is no secret. */
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
 * Whether what stands under a name may let somebody in, of body keys with any modifier, query parameters and headers.
 * Wider than `secretName`: an archive is only read, while the exchanges of a run are sent again, and need the identifiers
 * that belong to a code.
 */
export function mayAdmit(name: string): boolean {
  const bare = name.replace(/:\w+$/, '')
  return secretName(bare) !== undefined || /password|secret|^\W?(?:code|otpId|mfaId|key)\W?$/i.test(bare)
}

const names = /\$(?:TOKEN|PASSWORD|SECRET|KEY|CODE)(?:_[A-Z0-9_]+)?/

/** Names that a redacted text may contain. `curl` puts them outside the quotes. */
export const placeholder = new RegExp(names, 'g')

/** Whether a text is one of these names, and nothing else: a secret may begin with a dollar sign, too. */
export function isPlaceholder(text: string): boolean {
  return names.exec(text)?.[0] === text
}

/** Whether a value names a variable of the environment, and nothing else: `$GATEWAY_KEY`. */
export function isVariable(value: string): boolean {
  return /^\$[A-Za-z_]\w*$/.test(value)
}

/** Whether a text may name a secret at all: most do not, and need no closer look. */
export function mayNameSecrets(text: string): boolean {
  return /pass|pwd|token|jwt|authori[sz]ation|secret|private|verifier|cookie|session|api.?key|access.?key|"code"/i.test(
    text,
  )
}
