/**
 * Blanks: places in a generated request for what is known only when it is sent, such as the id of the record that the
 * request before it created. Letters of the private use area mark them, so that they survive JSON and forms.
 *
 * @module
 */

/**
 * Tokens that every server begins with: a caller by name, or a kind of token for an account of the table of a role,
 * as `passwordReset:members`.
 */
type TokenName =
  | 'superuser'
  | 'key'
  | 'narrowKey'
  | `${'auth' | 'static' | 'expired' | 'foreign' | 'verification' | 'passwordReset' | 'emailChange'}:${string}`
/** What responses and emails of the session gave. */
type LearnedName = 'created' | 'session' | 'otpId' | 'otpCode' | 'mfaId' | 'mailToken'
type BlankName = TokenName | LearnedName
export type Blanks = Partial<Record<BlankName, string>>

/** A string that represents a value that is known later. */
export function fillBlank(name: BlankName): string {
  return `\uE000${name}\uE001`
}

/** What represents a value that no earlier response of the session gave. */
const unknown = 'unknown00000000'

export function fillBlanks(text: string, values: Blanks): string {
  return text.replace(/\uE000([\w:]+)\uE001/g, (_, name: BlankName) => values[name] ?? unknown)
}
