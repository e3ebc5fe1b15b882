/**
 * Wraps lines at the width of the terminal. A function of data.
 *
 * @module
 */

import { stripVTControlCharacters } from 'node:util'

/** Characters before which a line continues: less on a narrow terminal. */
const deepest = 14
/** Columns below which lines continue close to where they began. */
const narrow = 60

/**
 * The line in as many as it takes. Lines to be copied stay whole: the terminal breaks them without adding anything. Words
 * longer than a line, such as addresses, stay whole too.
 */
export function wrapped(line: string, columns: number): string[] {
  const plain = stripVTControlCharacters(line)
  if (plain.length <= columns || isCopied(plain)) return [line]
  const hang = ' '.repeat(hangOf(plain, columns))
  const lines: string[] = []
  let current = ''
  // Words and the spaces between them, in turn.
  for (const [at, piece] of line.split(/(?<=\S)( +)(?=\S)/).entries()) {
    if (at % 2 === 1 || widthOf(current + piece) <= columns || current.trim() === '') current += piece
    else {
      lines.push(current.trimEnd())
      current = `${hang}${piece}`
    }
  }
  return [...lines, current]
}

/** A command or an address: `$ curl ...`, `replay    npx ...`, `about     https:...`. */
function isCopied(plain: string): boolean {
  return /^\s*(?:\$ |(?:replay|about) {2,})/.test(plain)
}

/** Where the text of a line begins, after its indentation and its label or sign. */
function hangOf(plain: string, columns: number): number {
  const [indent = ''] = /^\s*/.exec(plain) ?? []
  const [label = ''] = /^\s*(?:[\w-]+ {2,}|[✗✓!·◌?-] )/.exec(plain) ?? []
  if (columns < narrow || label.length > deepest) return indent.length + 2
  return Math.max(label.length, indent.length)
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length
}
