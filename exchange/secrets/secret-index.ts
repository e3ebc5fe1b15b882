/**
 * Finds many known strings in one pass. A run has hundreds of secrets and records thousands of exchanges: searching
 * each secret in each string took more time than everything else together.
 *
 * @module
 */

interface Entry {
  form: string
  name: string
}

const START = 4
const shortestEncoded = 6

const noStarts = new Uint8Array(0x10000)

/** Factor of the first of four characters in their hash. */
const OLDEST = 31 ** 3

/** Hash of the first four characters. */
function startOf(text: string, at = 0): number {
  let start = 0
  for (let i = at; i < at + START; i++) start = Math.imul(start, 31) + text.charCodeAt(i)
  return start | 0
}

/** Index of a hash in the filter table. */
function slotOf(start: number): number {
  return (start ^ (start >>> 16)) & 0xffff
}

/** Strings to replace by names, indexed by their first four characters. */
export class SecretIndex {
  readonly #byStart = new Map<number, Entry[]>()
  /**
   * Filter table. At nearly every position of a text no secret begins, and this table says so much faster than the map.
   */
  #maybe: Uint8Array | undefined
  readonly #short: Entry[] = []
  /** Characters of the longest string that was ever added. */
  longest = 0

  /** All encodings of `secret`: in JSON, in a URL, or as one character per byte. */
  add(secret: string, name: string): void {
    for (const form of formsOf(secret)) {
      if (form === '') continue
      this.longest = Math.max(this.longest, form.length)
      const entries = this.#entriesOf(form)
      // Longest first: a secret that contains another must be replaced as a whole.
      const at = entries.findIndex((entry) => entry.form.length < form.length)
      entries.splice(at < 0 ? entries.length : at, 0, { form, name })
    }
  }

  remove(secret: string): void {
    for (const form of formsOf(secret)) {
      const start = startOf(form)
      const entries = form.length < START ? this.#short : (this.#byStart.get(start) ?? [])
      const at = entries.findIndex((entry) => entry.form === form)
      if (at >= 0) entries.splice(at, 1)
      // In a long run, the number of first characters is unbounded.
      if (entries !== this.#short && entries.length === 0) this.#byStart.delete(start)
    }
  }

  replaceIn(text: string): string {
    return this.#short.length === 0 && this.#byStart.size === 0 ? text : this.#replacedIn(text)
  }

  #replacedIn(text: string): string {
    const maybe = this.#maybe ?? noStarts
    let out = ''
    let kept = 0
    let start = startOf(text)
    for (let at = 0; at + START <= text.length; ) {
      const found =
        maybe[slotOf(start)] === 1
          ? this.#byStart
              .get(start)
              ?.find((each) => text.startsWith(each.form, at) && !isPartOfNumber(each, text, at))
          : undefined
      if (found === undefined) {
        const next = text.charCodeAt(at + START)
        start = (Math.imul(start - Math.imul(text.charCodeAt(at), OLDEST), 31) + next) | 0
        at += 1
        continue
      }
      out += text.slice(kept, at) + found.name
      at += found.form.length
      kept = at
      start = startOf(text, at)
    }
    let replaced = kept === 0 ? text : out + text.slice(kept)
    for (const { form, name } of this.#short) replaced = replaced.replaceAll(form, () => name)
    return replaced
  }

  #entriesOf(form: string): Entry[] {
    if (form.length < START) return this.#short
    const start = startOf(form)
    // Created with the first secret: most indexes stay empty.
    this.#maybe ??= new Uint8Array(0x10000)
    this.#maybe[slotOf(start)] = 1
    const entries = this.#byStart.get(start) ?? []
    this.#byStart.set(start, entries)
    return entries
  }
}

/** What encodes a character before a code, and may end with a digit. */
const encodedBefore = /(?:%[\da-f]{2}|\\u[\da-f]{4})$/i

/**
 * Whether digits are only there because a longer number contains them, such as a phone number. That is a question for a
 * one-time code, which is short and dies soon, and for one digit again and again, which is not a real secret. Any other secret is
 * replaced wherever it is.
 */
function isPartOfNumber({ form, name }: Entry, text: string, at: number): boolean {
  if (!/^\d+$/.test(form) || (name !== '$CODE' && !/^(\d)\1*$/.test(form))) return false
  const isDigit = (index: number) => /\d/.test(text.charAt(index))
  if (isDigit(at + form.length)) return true
  return isDigit(at - 1) && !encodedBefore.test(text.slice(Math.max(0, at - 6), at))
}

function formsOf(secret: string): Set<string> {
  const forms = new Set([secret, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('latin1')])
  try {
    const encoded = encodeURIComponent(secret.toWellFormed())
    forms.add(encoded).add(encoded.replaceAll('%20', '+'))
  } catch {
    // A lone surrogate cannot be encoded.
  }
  return forms
}

/**
 * The parts of a secret that are the same in any base64 text: the characters that encode only bytes of the secret, for
 * each of the three offsets in a group of three bytes. Needed for credentials of Basic authentication, for example.
 */
export function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret)
  if (bytes.length < shortestEncoded) return []
  const shown = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((whole.length * 8) / 6)
    return whole.toString('base64').slice(from, to)
  })
  return [...new Set(shown.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]))]
}
