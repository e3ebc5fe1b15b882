/**
 * Ways to alter a token. Every altered token must be rejected. The format is the profile's, but each way works on any
 * string.
 *
 * @module
 */

/** Another letter instead of one, at a fraction of the text from 0 to less than 1. */
export function flipped(text: string, fraction: number): string {
  return flippedAt(text, Math.floor(text.length * fraction))
}

/**
 * The same near the end, where a hash of the beginning no longer differs. The last three do not count: of what is written
 * in base64 they may be padding and bits without a meaning.
 */
export function flippedNearEnd(text: string): string {
  return flippedAt(text, Math.max(0, text.length - 4))
}

/** Another letter, not only another case of it: in hexadecimal digits the case says nothing. */
function flippedAt(text: string, at: number): string {
  return `${text.slice(0, at)}${/[aA]/.test(text.charAt(at)) ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** The same text with the letter case of one letter changed; undefined if all its letters have one case, as in hex. */
export function recased(text: string): string | undefined {
  const hasBoth = /[a-z]/.test(text) && /[A-Z]/.test(text)
  const at = text.search(/[A-Za-z]/)
  if (!hasBoth) return undefined
  const letter = text.charAt(at)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`
}

/** Altered tokens with a word on what was done. */
export function tamperings(token: string): [string, string][] {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const ways: [string, string][] = [
    ['another first character', flipped(token, 0)],
    ['another character in the middle', flipped(token, 0.5)],
    ['another character near its end', flippedNearEnd(token)],
    ['its end removed', token.slice(0, -4)],
    ['only its first half', token.slice(0, Math.floor(token.length / 2))],
    ['extra text after it', `${token}AAAA`],
  ]
  if (token.includes('.')) ways.push(['another part after it', `${token}.x`])
  const cased = signature === '' ? recased(token) : recased(signature)
  if (cased !== undefined)
    ways.push(['the case of a letter changed', signature === '' ? cased : `${head}.${payload}.${cased}`])
  if (signature !== '') {
    ways.push(
      ['another signature', `${head}.${payload}.${flipped(signature, 0.3)}`],
      ['no signature', `${head}.${payload}.`],
      ['its signature removed', `${head}.${payload}`],
      ['no algorithm', unsigned(payload)],
      ['a later expiry', `${head}.${later(payload)}.${signature}`],
    )
  }
  return ways
}

/** The same token with another character early in its signature: the last ones may not count in base64. */
export function withOtherSignature(token: string): string {
  return flippedAt(token, token.lastIndexOf('.') + 3)
}

/** The same claims, said to need no signature. */
export function unsigned(payload: string): string {
  return `${base64url({ alg: 'none', typ: 'JWT' })}.${payload}.`
}

/** Claims of a token; undefined if it is not of the profile's form. */
export function claimsOf(token: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function later(payload: string): string {
  const claims = claimsOf(`.${payload}.`) ?? {}
  return base64url({ ...claims, exp: Number(claims.exp ?? 0) + 1_000 })
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
