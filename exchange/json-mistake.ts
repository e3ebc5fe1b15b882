/**
 * The position of a mistake in JSON. The built-in parser does not always report the position, and quotes the text,
 * which may contain a password.
 *
 * @module
 */

/** Characters. Nothing longer is searched. */
const longest = 100_000

const space = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has no control characters in its strings.
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literal = /(?:true|false|null)(?![\w$])/y

/** What may come next. */
type Expected = 'a value' | 'a value or "]"' | 'a key in double quotes or "}"' | 'a key in double quotes'

/** The sentence about a text that the parser rejected: `The body is not JSON: line 2, column 5: expected a value.` */
export function jsonMistake(what: string, text: string): string {
  if (text.length > longest) return `${what} is not JSON.`
  const mistake = placeOfMistake(text)
  if (mistake === undefined) return `${what} is not JSON that a double can hold: a number is too large.`
  return `${what} is not JSON: line ${mistake.line}, column ${mistake.column}: ${mistake.fact}.`
}

/** Line and column, counted as editors do, and what is wrong there. */
export interface JsonMistake {
  line: number
  column: number
  /** `expected a value, found ]` */
  fact: string
}

/** The first mistake in a text of any length. Undefined if it is JSON, perhaps with a number that a double cannot hold. */
export function placeOfMistake(text: string): JsonMistake | undefined {
  const mistake = findMistake(text)
  if (mistake === undefined) return undefined
  const before = text.slice(0, mistake.at).split('\n')
  const found = mistake.at >= text.length ? ', found its end' : foundAt(text, mistake.at)
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    fact: `expected ${mistake.expected}${found}`,
  }
}

/** Only characters that cannot be part of a secret. */
function foundAt(text: string, at: number): string {
  const character = text[at] ?? ''
  if (character === '\ufeff') return ', found a byte order mark'
  return /[{}[\],:'/#<]/.test(character) ? `, found ${character === "'" ? 'a single quote' : character}` : ''
}

function findMistake(text: string): { at: number; expected: string } | undefined {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return false
    at += found[0].length
    return true
  }
  const character = (): string => {
    take(space)
    return text[at] ?? ''
  }
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  for (;;) {
    const next = character()
    const closes =
      next === ']'
        ? expected === 'a value or "]"'
        : next === '}' && expected === 'a key in double quotes or "}"'
    if (closes) {
      at += 1
      open.pop()
    } else if (expected.startsWith('a key')) {
      if (next !== '"' || !take(string))
        return { at, expected: next === '"' ? 'a complete string' : expected }
      if (character() !== ':') return { at, expected: '":"' }
      at += 1
      expected = 'a value'
      continue
    } else if (next === '{' || next === '[') {
      at += 1
      open.push(next)
      expected = next === '{' ? 'a key in double quotes or "}"' : 'a value or "]"'
      continue
    } else if (next === '"') {
      if (!take(string)) return { at, expected: 'a complete string' }
    } else if (next === '' || !(take(literal) || take(number))) return { at, expected }
    // After a value: the lists and objects around it may end as well.
    for (;;) {
      const after = character()
      const inside = open.at(-1)
      if (inside === undefined) return after === '' ? undefined : { at, expected: 'nothing more' }
      if (after === ',') {
        at += 1
        expected = inside === '{' ? 'a key in double quotes' : 'a value'
        break
      }
      const end = inside === '{' ? '}' : ']'
      if (after !== end) return { at, expected: `"," or "${end}"` }
      at += 1
      open.pop()
    }
  }
}
