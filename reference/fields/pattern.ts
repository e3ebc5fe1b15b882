/**
 * Patterns of definitions are written for RE2 (contract-records 3.1) and run here as JavaScript: each part is written
 * anew as what it means to RE2, and what RE2 does not know is refused.
 *
 * @module
 */

import { blankClass, codePoint, posixClass, propertyClass } from './pattern-classes.ts'

/**
 * The pattern, unanchored like RE2's match.
 *
 * @throws Error that quotes the pattern when it is none, or uses what RE2 does not know
 */
export function compilePattern(pattern: string): RegExp {
  try {
    const { source, flags } = translate(pattern)
    return new RegExp(source, flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Invalid regular expression "${pattern}": ${reason}`)
  }
}

const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 }
const asTheyAre: ReadonlySet<string> = new Set('dDwW')

function translate(pattern: string): { source: string; flags: string } {
  const leading = /^\(\?([ims]+)\)/.exec(pattern)
  const flags = leading?.[1] ?? ''
  let rest = pattern.slice(leading?.[0].length ?? 0)
  let source = ''
  while (rest !== '') source += inClass() ?? part()
  // Lines and dots are written out: JavaScript knows more line ends than RE2.
  return { source, flags: flags.includes('i') ? 'iu' : 'u' }

  /** What the expression finds at the beginning, taken away. */
  function take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(rest) ?? undefined
    if (found) rest = rest.slice(found[0].length)
    return found
  }

  function part(): string {
    const quoted = take(/^\\Q([\s\S]*?)(?:\\E|$)/)?.[1]
    if (quoted !== undefined) return literal(quoted)
    const named = take(/^\(\?P?<(\w+)>/)?.[1]
    if (named !== undefined) return `(?<${named}>`
    const kept = take(/^(?:\(\?:|\((?!\?)|[)|*+?]|\{\d+(?:,\d*)?\})/)?.[0]
    if (kept !== undefined) return kept
    if (rest.startsWith('(?')) {
      throw new Error('look-around and flags inside are not supported; flags may stand at the start')
    }
    const edge = take(/^(?:\\[AzbB]|[$^.])/)?.[0]
    if (edge !== undefined) return edges(edge)
    const shorthand = classEscape()
    if (shorthand !== undefined) return shorthand.startsWith('\\u') ? `[${shorthand}]` : shorthand
    return codePoint(character())
  }

  function edges(edge: string): string {
    if (edge === '.') return flags.includes('s') ? '[^]' : '[^\\n]'
    if (edge === '\\A') return '(?<![^])'
    if (edge === '\\z') return '(?![^])'
    if (!flags.includes('m') || edge.startsWith('\\')) return edge
    return edge === '^' ? '(?<![^\\n])' : '(?![^\\n])'
  }

  /** A class in brackets. */
  function inClass(): string | undefined {
    const start = take(/^\[\^?/)?.[0]
    if (start === undefined) return undefined
    let text = start
    do text += member()
    while (!take(/^\]/))
    return `${text}]`
  }

  function member(): string {
    const posix = take(/^\[:(\^?)(\w*):\]/)
    if (posix) return known(posixClass(posix[2] ?? '', posix[1] !== ''), posix[0])
    const shorthand = classEscape()
    if (shorthand !== undefined) return shorthand
    const first = character()
    if (!take(/^-(?!\])/)) return codePoint(first)
    const last = character()
    return `${codePoint(first)}-${codePoint(last)}`
  }

  /** An escape that means several characters. */
  function classEscape(): string | undefined {
    const property = take(/^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/)
    if (property) {
      const [whole, letter, negation, name, short] = property
      return known(propertyClass(name ?? short ?? '', (letter === 'P') !== Boolean(negation)), whole)
    }
    const blank = take(/^\\[sS]/)?.[0]
    if (blank !== undefined) return blankClass(blank === '\\S')
    return asTheyAre.has(rest[1] ?? '') ? take(/^\\./)?.[0] : undefined
  }

  /** One character, escaped or not. */
  function character(): number {
    const hex = take(/^\\x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/)
    if (hex) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16)
    const octal = take(/^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/)?.[1]
    if (octal !== undefined) return Number.parseInt(octal, 8)
    const control = controls[take(/^\\[atnvfr]/)?.[0].charAt(1) ?? '']
    if (control !== undefined) return control
    const found = take(/^\\([^\w]|_)|^[^\\]/u)
    const code = (found?.[1] ?? found?.[0])?.codePointAt(0)
    if (code === undefined)
      throw new Error(rest === '' ? 'it ends too early' : `"${rest.slice(0, 2)}" is not known`)
    return code
  }

  function known(text: string | undefined, whole: string): string {
    if (text === undefined) throw new Error(`"${whole}" is not known`)
    return text
  }
}

function literal(text: string): string {
  return Array.from(text, (char) => codePoint(char.codePointAt(0) ?? 0)).join('')
}
