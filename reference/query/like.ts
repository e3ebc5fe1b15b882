import { lowerAscii } from './ascii-case.ts'

/** What a literal right side of `~` becomes: a pattern of its own, or the literal text anywhere. */
export function containsPattern(text: string): string {
  return hasBarePercent(text) ? text : `%${quoteWildcards(text)}%`
}

/** True when a `%` stands without a backslash before it: then the text is a pattern as it is. */
function hasBarePercent(text: string): boolean {
  let escaped = false
  for (const char of text) {
    if (char === '%' && !escaped) return true
    escaped = char === '\\' && !escaped
  }
  return false
}

/** Puts a backslash before each `\`, `%` and `_` that has none. Read from the end, since a backslash guards what follows. */
function quoteWildcards(text: string): string {
  const chars = [...text]
  const out: string[] = []
  for (let at = chars.length - 1; at >= 0; at -= 1) {
    const char = chars[at] as string
    out.push(char)
    if (char !== '\\' && char !== '%' && char !== '_') continue
    out.push('\\')
    if (chars[at - 1] === '\\') at -= 1
  }
  return out.reverse().join('')
}

type Part = { literal: string } | 'one' | 'any'

const MAX_REMEMBERED = 500
const remembered = new Map<string, (text: string) => boolean>()

/**
 * A test for a pattern of `%` (any run), `_` (one character) and `\` (takes the next one literally). Letters A to Z
 * match in either case. Linear in text times pattern, whatever they hold.
 */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const known = remembered.get(pattern)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const made = makeMatcher(pattern)
  remembered.set(pattern, made)
  return made
}

function makeMatcher(pattern: string): (text: string) => boolean {
  const parts = parsePattern(pattern)
  if (parts === undefined) return () => false
  const [first, second, third] = parts
  if (parts.length === 3 && first === 'any' && third === 'any' && typeof second === 'object') {
    const needle = second.literal
    return (text) => lowerAscii(text).includes(needle)
  }
  if (parts.every((part) => part === 'any')) return parts.length > 0 ? () => true : (text) => text === ''
  const steps = parts.flatMap<string | symbol>((part) => {
    return typeof part === 'object' ? [...part.literal] : [part === 'any' ? ANY : ONE]
  })
  return (text) => walk([...lowerAscii(text)], steps)
}

const ANY = Symbol('any')
const ONE = Symbol('one')

/** Undefined for a pattern that ends in a lone backslash: it matches nothing. */
function parsePattern(pattern: string): Part[] | undefined {
  const parts: Part[] = []
  const chars = [...pattern]
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] as string
    if (char === '%') {
      if (parts.at(-1) !== 'any') parts.push('any')
    } else if (char === '_') {
      parts.push('one')
    } else {
      if (char === '\\') at += 1
      const literal = chars[at]
      if (literal === undefined) return undefined
      const last = parts.at(-1)
      if (typeof last === 'object') last.literal += lowerAscii(literal)
      else parts.push({ literal: lowerAscii(literal) })
    }
  }
  return parts
}

/** Greedy matching that goes back to the latest `%` only, which is enough. */
function walk(text: string[], steps: (string | symbol)[]): boolean {
  let at = 0
  let step = 0
  let retryStep = -1
  let retryAt = 0
  while (at < text.length) {
    const wanted = steps[step]
    if (wanted === ANY) {
      retryStep = step
      retryAt = at
      step += 1
    } else if (wanted !== undefined && (wanted === ONE || wanted === text[at])) {
      at += 1
      step += 1
    } else if (retryStep >= 0) {
      retryAt += 1
      at = retryAt
      step = retryStep + 1
    } else {
      return false
    }
  }
  while (steps[step] === ANY) step += 1
  return step === steps.length
}
