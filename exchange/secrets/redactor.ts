/**
 * Redaction: secrets are replaced by names when an exchange is recorded, so that nothing later can leak them.
 *
 * Three independent methods:
 * - by name: headers, and keys of bodies, forms and queries whose names mark secrets;
 * - by value: secrets that the harness knows or has seen (credentials, issued tokens), anywhere;
 * - by form: signed tokens, project API keys, Basic and Bearer credentials, known or not.
 *
 * @module
 */

import { operationPaths } from '../../spec/generated/operations.ts'
import { isHolder } from '../json-object.ts'
import { hasMoreValues, jsonBeginning } from '../size-of-json.ts'
import { cookieValues } from './cookie-values.ts'
import { isComplaint, isOrdinaryWords } from './ordinary-words.ts'
import { type Replace, replaceNamed } from './replace-named.ts'
import { base64Of, SecretIndex } from './secret-index.ts'
import { apiKeyInText } from './secret-key.ts'
import { isPlaceholder, secretName } from './secret-names.ts'
import { variableName } from './variable-name.ts'

/** Each with a substring that a text must contain for a match to be possible. */
const byForm: readonly (readonly [sign: RegExp, form: RegExp, name: string])[] = [
  // Also matches a truncated one.
  [/eyJ/, /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, '$TOKEN'],
  [/rak_/, apiKeyInText, '$KEY'],
  [/basic /i, /(?<=\bBasic )[A-Za-z0-9+/_-]{8,}=*/gi, '$SECRET'],
  [/bearer /i, /(?<=\bBearer )[\w.~+/-]{16,}=*/gi, '$TOKEN'],
  [/:\/\//, /(?<=:\/\/)[^\s/:@"']{1,200}:[^\s/@"']{1,200}(?=@)/g, '$SECRET'],
]
const shortestKnown = 6
const errorCode = /^[a-z]+(?:_[a-z]+)+$/
/** Names of secrets that arrive by email. */
const fromEmails: readonly string[] = ['$CODE', '$PROOF']
/** Characters of the longest credential that is found by its form: a truncated one is found as well. */
const longestForm = 1_024
/**
 * Maximum number of secrets that are searched by value. The oldest is forgotten first; it is still found by name and by
 * form.
 */
const mostKnown = 2000
/** Maximum length of all of them in characters: each is searched in several encodings. */
const mostKnownCharacters = 2_000_000
const mostHarmless = 500
/** Characters that are kept of a body with more values than fit into memory. */
const longestBeginning = 200_000
const longestValue = 1_000

/** Whether it is a word of the paths: one of an email that is taken for a proof may be, such as "password-reset". */
function isInPaths(text: string): boolean {
  return /^[a-z-]+$/.test(text) && paths.some((path) => path.includes(text))
}

const paths = operationPaths.map(({ segments }) => segments.join('/'))

export interface RedactorOptions {
  /**
   * Whether the passwords in requests are made up by the sender, so that a report may show them: evidence about a wrong
   * password says nothing without it. Those that were given, or that a server sent, stay redacted. Other secrets in
   * requests are made up as well, and stay redacted: but an ordinary word, such as `nonsense`, only where it is sent.
   *
   * @default false
   */
  showsSentPasswords?: boolean
  /**
   * What reports always show, such as the URL of the server: no part of it becomes a secret because a request sends it in
   * the place of one.
   *
   * @default none
   */
  shown?: readonly string[]
}

export class Redactor {
  readonly #index = new SecretIndex()
  readonly #showsSentPasswords: boolean
  readonly #shown: readonly string[]
  /** Passwords that requests sent, and no one gave. */
  readonly #madeUp = new Set<string>()
  /** Words under the keys of secrets in error responses, which say what is wrong with the value that was sent. */
  readonly #complaints = new Set<string>()
  /** Secrets that are too short to be searched by value. */
  readonly #short = new Set<string>()
  /** The names of secrets that were seen, in insertion order: the oldest secret is forgotten first. */
  readonly #met = new Map<string, string>()
  #metCharacters = 0
  readonly #given = new Set<string>()
  readonly #givenNames = new Set<string>()
  /** Cache of header values without secrets, valid until a new secret is known: most headers repeat the same values. */
  readonly #harmless = new Set<string>()

  constructor({ showsSentPasswords = false, shown = [] }: RedactorOptions = {}) {
    this.#showsSentPasswords = showsSentPasswords
    this.#shown = shown
  }

  /** A secret of the target's configuration: kept for the whole run, of any length. */
  give(secret: string, name: string): void {
    if (secret === '' || this.#given.has(secret)) return
    this.#forget(secret)
    this.#madeUp.delete(secret)
    this.#complaints.delete(secret)
    this.#given.add(secret)
    this.#givenNames.add(name)
    this.#harmless.clear()
    this.#index.add(secret, name)
    for (const inside of base64Of(secret)) this.#index.add(inside, name)
  }

  /**
   * A secret seen on the wire. Very short ones, and words of the paths, are replaced by name only; otherwise ordinary text
   * would be replaced too.
   */
  meet(secret: string, name: string): void {
    this.#madeUp.delete(secret)
    this.#complaints.delete(secret)
    if (this.#given.has(secret)) return
    if (secret.length < shortestKnown) {
      keep(this.#short, secret)
      return
    }
    if (isPlaceholder(secret) || isInPaths(secret)) return
    if (this.#shown.some((text) => text.includes(secret))) return
    const known = this.#met.get(secret)
    this.#met.delete(secret)
    this.#met.set(secret, known ?? name)
    if (known !== undefined) return
    this.#harmless.clear()
    this.#index.add(secret, name)
    this.#metCharacters += secret.length
    for (const oldest of this.#met.keys()) {
      if (this.#met.size <= mostKnown && this.#metCharacters <= mostKnownCharacters) return
      this.#forget(oldest)
    }
  }

  #forget(secret: string): void {
    if (!this.#met.delete(secret)) return
    this.#metCharacters -= secret.length
    this.#index.remove(secret)
  }

  /** Redacts by value and by form. Applied last, to every string that is kept. */
  text(text: string): string {
    let out = this.#index.replaceIn(text)
    for (const [sign, form, name] of byForm) if (sign.test(out)) out = out.replace(form, () => name)
    return out
  }

  /** Redacts text about exchanges: a URL, an error, a stack. Also searches by name. */
  message(text: string): string {
    return this.text(replaceNamed(text, this.#replace))
  }

  /**
   * Redacts what a check says about a response: what it expected, what it received. Also searches by name, because not
   * every secret in it is found by value: a server may escape characters of it, the text may be cut, and the oldest
   * secrets are forgotten. Error codes and made-up passwords stay: an expectation such as
   * `{"password":"validation_required"}` would say nothing otherwise.
   */
  fact(text: string): string {
    return this.text(
      replaceNamed(text, (name, value) =>
        this.#isShown(value) || errorCode.test(value) ? undefined : this.#shownAs(name, value),
      ),
    )
  }

  /** What a report shows of one field of a form. */
  field(key: string, value: string): string {
    const name = value === '' ? undefined : secretName(key)
    if (name === undefined) return replaceNamed(value, this.#replaceSent)
    return this.#replaceSent(name, value) ?? value
  }

  headers(headers: Readonly<Record<string, string>>, actor: string): Record<string, string> {
    const out: Record<string, string> = {}
    for (const [name, value] of Object.entries(headers)) out[name] = this.#header(name, value, actor)
    return out
  }

  url(url: string): string {
    return this.message(url)
  }

  /**
   * JSON is also searched by key, since a key may contain escapes; everything else is searched as text. All other
   * characters stay exactly as they are. `code` is a secret in requests only.
   *
   * @param most characters that are kept of the result; `…` replaces the rest. All of the text is searched by name,
   *   and only the kept part by value and by form: in a body of a megabyte that takes longer than everything else.
   *   @default all
   */
  body(text: string, side: BodySide, most?: number): string {
    const named = this.#named(text, side)
    return most === undefined ? this.text(named) : this.#beginning(named, most)
  }

  /** The beginning of a text, redacted, and `…` for the rest. No part of a secret that crosses its end is kept. */
  #beginning(text: string, most: number): string {
    const margin = Math.max(this.#index.longest, longestForm)
    const isWhole = text.length <= most + margin
    const redacted = this.text(isWhole ? text : text.slice(0, most + margin))
    if (isWhole && redacted.length <= most) return redacted
    // Names are shorter than most secrets, so the end of the searched part moves up: half a secret may be there.
    const searched = isWhole ? redacted.length : Math.max(0, redacted.length - margin)
    return `${redacted.slice(0, Math.min(most, searched))}…`
  }

  #named(text: string, side: BodySide): string {
    const named = replaceNamed(text, this.#replaceOn(side), side === 'request')
    if (!/^\s*[[{"]/.test(named)) return named
    const isCut = hasMoreValues(named)
    try {
      const value: unknown = JSON.parse(isCut ? jsonBeginning(named, longestBeginning) : named)
      const isChanged = isHolder(value) && this.#walk(value, side)
      if (isCut) return `${JSON.stringify(value)}…`
      if (isChanged) return JSON.stringify(value)
    } catch (error) {
      // Invalid JSON, or nested too deep for the stack: a robustness check may send that.
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
    }
    return named
  }

  /** A binary body: one character per byte. */
  octets(bytes: Uint8Array): string {
    return this.text(replaceNamed(Buffer.from(bytes).toString('latin1'), this.#replaceSent, true))
  }

  #replaceOn(side: BodySide): Replace {
    if (side === 'request') return this.#replaceSent
    return side === 'rejection' ? this.#replaceRejected : this.#replace
  }

  /** The replacement of a value under the name of a secret, which is searched by value from then on. */
  readonly #replace = (name: string, value: string): string | undefined => {
    if (this.#isShown(value)) return undefined
    if (name === '$TOKEN' || name === '$KEY' || !this.#isMadeUpWord(value)) this.meet(value, name)
    return this.#shownAs(name, value)
  }

  /** The same in a request. */
  readonly #replaceSent = (name: string, value: string): string | undefined => {
    if (this.#showsSentPasswords && name === '$PASSWORD' && !this.#given.has(value) && !this.#met.has(value))
      keep(this.#madeUp, value)
    if (this.#madeUp.has(value)) return undefined
    if (!this.#isMadeUpWord(value)) this.meet(value, name)
    return this.#shownAs(name, value)
  }

  /**
   * The same in an error response: `{"errors":{"password":"required"}}` says what is wrong with the password, and does not
   * make "required" a secret.
   */
  readonly #replaceRejected = (name: string, value: string): string | undefined => {
    const isSecret = this.#given.has(value) || this.#met.has(value) || this.#short.has(value)
    if (!isSecret && isComplaint(value)) keep(this.#complaints, value)
    return this.#replace(name, value)
  }

  /** Whether a value under the name of a secret is known not to be one. */
  #isShown(value: string): boolean {
    return this.#madeUp.has(value) || this.#complaints.has(value)
  }

  /** Whether a value is an ordinary word of a sender who makes up its secrets. Any text may contain such a word. */
  #isMadeUpWord(value: string): boolean {
    return this.#showsSentPasswords && isOrdinaryWords(value)
  }

  /** The key under which a secret is sent does not say where a reader finds it. */
  #shownAs(name: string, value: string): string {
    const known = this.#met.get(value)
    return known !== undefined && fromEmails.includes(known) ? known : name
  }

  #header(header: string, value: string, actor: string): string {
    if (value === '') return value
    // A header of the run is recorded by the name of its variable.
    if (value.startsWith('$') && this.#givenNames.has(value)) return value
    const cookies = cookieValues(header, value)
    if (cookies !== undefined) {
      for (const cookie of cookies) this.meet(cookie, '$SECRET')
      return '$SECRET'
    }
    const name = secretName(header)
    if (name === undefined) return this.#plain(value)
    const [, scheme = '', secret = value] = /^((?:Bearer|Basic|Token|Digest) +)(.+)$/i.exec(value) ?? []
    const shown =
      /^authorization$/i.test(header) && !/^(?:basic|digest)/i.test(scheme) ? tokenName(actor) : name
    if (!this.#isMadeUpWord(secret)) this.meet(secret, shown)
    if (/^basic/i.test(scheme)) this.meet(passwordOf(secret), '$PASSWORD')
    return scheme + shown
  }

  #plain(value: string): string {
    if (this.#harmless.has(value)) return value
    const shown = this.message(value)
    if (shown === value && value.length <= longestValue && this.#harmless.size < mostHarmless)
      this.#harmless.add(value)
    return shown
  }

  /**
   * Replaces secrets by name, in place. Returns whether anything was replaced.
   *
   * @param under the name of the secret, for a list under the key of one
   */
  #walk(holder: Record<string, unknown>, side: BodySide, under?: string): boolean {
    const isList = Array.isArray(holder)
    let changed = false
    for (const key in holder) {
      const value = holder[key]
      const name = isList ? under : nameUnder(key, side)
      if (isHolder(value)) changed = this.#walk(value, side, name) || changed
      else if (name !== undefined && isShown(value)) {
        const shown = this.#replaceOn(side)(name, String(value))
        if (shown === undefined) continue
        holder[key] = shown
        changed = true
      }
    }
    return changed
  }
}

/** Whose body it is. `rejection`: an error response, which may say what is wrong with a secret. */
export type BodySide = 'request' | 'response' | 'rejection'

export function responseSide(status: number): BodySide {
  return status >= 400 ? 'rejection' : 'response'
}

/** Adds a value to a set. The oldest one is forgotten first. */
function keep(values: Set<string>, value: string): void {
  values.add(value)
  const [oldest = ''] = values
  if (values.size > mostKnown) values.delete(oldest)
}

/** The replacement for the value of a key in a body. */
function nameUnder(key: string, side: BodySide): string | undefined {
  return secretName(key) ?? (side === 'request' && key === 'code' ? '$CODE' : undefined)
}

/** Whether a value is an unredacted secret: a string or number that is not a replacement name. */
function isShown(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && !isPlaceholder(value))
}

/** The decoded password of Basic authentication. */
function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

/** The replacement for the token of an actor: `$TOKEN_SUPERUSER`. */
export function tokenName(actor: string): string {
  const suffix = variableName(actor)
  return suffix === '' || suffix === 'GUEST' ? '$TOKEN' : `$TOKEN_${suffix}`
}
