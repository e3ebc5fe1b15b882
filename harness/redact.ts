/**
 * Redaction: secrets are replaced by names when an exchange is recorded, so that nothing later can leak them.
 *
 * Three nets, each enough for what it is made for:
 * - by place: the Authorization header, and body or query keys that hold secrets by their name;
 * - by value: secrets that the harness knows or has met (credentials, tokens issued), wherever they stand;
 * - by form: signed tokens and project API keys, known or not.
 *
 * @module
 */

import { SecretIndex } from './secret-index.ts'

const byKey: Record<string, string> = {
  password: '$PASSWORD',
  passwordconfirm: '$PASSWORD',
  oldpassword: '$PASSWORD',
  token: '$TOKEN',
  accesstoken: '$TOKEN',
  refreshtoken: '$TOKEN',
  tokenkey: '$SECRET',
  clientsecret: '$SECRET',
  secret: '$SECRET',
  codeverifier: '$SECRET',
  apikey: '$KEY',
  authorization: '$TOKEN',
  cookie: '$SECRET',
  setcookie: '$SECRET',
}

const signedToken = /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g
const apiKey = /rak_[A-Za-z0-9]+_[A-Za-z0-9]+/g
const shortestKnown = 6
const mostKnown = 2000

/** Names that a redacted text may contain. `curl` puts them outside the quotes. */
export const placeholder = /\$(?:TOKEN|PASSWORD|SECRET|KEY|CODE)(?:_[A-Z0-9_]+)?/g

function normalised(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '')
}

export class Redactor {
  readonly #index = new SecretIndex()
  /** Insertion order: the oldest met secret is forgotten first. */
  readonly #met = new Set<string>()
  readonly #given = new Set<string>()

  /** A secret of the target's configuration: kept for the whole run, however short. */
  give(secret: string, name: string): void {
    if (secret === '' || this.#given.has(secret)) return
    if (this.#met.delete(secret)) this.#index.remove(secret)
    this.#given.add(secret)
    this.#index.add(secret, name)
  }

  /** A secret seen on the wire. Very short ones are replaced by place only, or half the report would vanish. */
  meet(secret: string, name: string): void {
    if (secret.length < shortestKnown || this.#given.has(secret) || secret.startsWith('$')) return
    const known = this.#met.delete(secret)
    this.#met.add(secret)
    if (known) return
    this.#index.add(secret, name)
    if (this.#met.size <= mostKnown) return
    const [oldest = ''] = this.#met
    this.#met.delete(oldest)
    this.#index.remove(oldest)
  }

  /** By value and by form. Applied last, to every text that is kept. */
  text(text: string): string {
    return this.#index
      .replaceIn(text)
      .replace(signedToken, () => '$TOKEN')
      .replace(apiKey, () => '$KEY')
  }

  headers(headers: Readonly<Record<string, string>>, actor: string): Record<string, string> {
    const out: Record<string, string> = {}
    for (const [name, value] of Object.entries(headers)) {
      const secretName = byKey[normalised(name)]
      if (secretName === undefined) out[name] = this.text(value)
      else if (value === '') out[name] = value
      else {
        const text = secretName === '$TOKEN' ? tokenName(actor) : secretName
        this.meet(value.replace(/^Bearer /i, ''), text)
        out[name] = text
      }
    }
    return out
  }

  url(url: string): string {
    const [path = '', query] = split(url, '?')
    if (query === undefined) return this.text(path)
    const pairs = query.split('&').map((pair) => {
      const [key = '', value] = split(pair, '=')
      const name = byKey[normalised(decoded(key))]
      if (value === undefined || value === '' || name === undefined) return pair
      this.meet(decoded(value), name)
      return `${key}=${name}`
    })
    return this.text(`${path}?${pairs.join('&')}`)
  }

  /** A JSON body is walked by key; any other text is searched by value and form. `code` is a secret in requests only. */
  body(text: string, side: 'request' | 'response'): string {
    if (text === '' || !/^\s*[[{"]/.test(text)) return this.text(this.#loosely(text))
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return this.text(this.#loosely(text))
    }
    const before = this.#changes
    let walked: unknown
    try {
      walked = this.#walk(parsed, side)
    } catch (error) {
      // Nested deeper than the stack: a robustness check may send that. It is searched as text then.
      if (!(error instanceof RangeError)) throw error
      return this.text(this.#loosely(text))
    }
    return this.text(before === this.#changes ? text : JSON.stringify(walked))
  }

  #changes = 0

  #walk(value: unknown, side: 'request' | 'response'): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, side))
    if (typeof value !== 'object' || value === null) return value
    const out: Record<string, unknown> = {}
    for (const [key, inner] of Object.entries(value)) {
      const name = byKey[normalised(key)] ?? (side === 'request' && key === 'code' ? '$CODE' : undefined)
      const secret = typeof inner === 'string' || typeof inner === 'number'
      if (name !== undefined && secret && inner !== '') {
        this.meet(String(inner), name)
        this.#changes += 1
        define(out, key, name)
      } else define(out, key, this.#walk(inner, side))
    }
    return out
  }

  /** Broken JSON still shows its keys. */
  #loosely(text: string): string {
    return text.replace(
      /"([\w-]+)"\s*:\s*"((?:[^"\\]|\\.)*)("?)/g,
      (whole, key: string, value: string, end: string) => {
        const name = byKey[normalised(key)]
        if (name === undefined || value === '') return whole
        this.meet(value, name)
        return `"${key}":"${name}${end}`
      },
    )
  }
}

/** The name that stands for the token of an actor: `$TOKEN_SUPERUSER`. */
export function tokenName(actor: string): string {
  const suffix = actor.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return suffix === '' || suffix === 'GUEST' ? '$TOKEN' : `$TOKEN_${suffix}`
}

function split(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Like assignment, but `__proto__` is a key like any other. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
