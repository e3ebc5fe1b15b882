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
 * The line in as many as it takes. What is copied stays whole: the terminal breaks it without adding anything. That is
 * lines with a command or an address, commands in a sentence, strings of JSON, and words longer than a line.
 */
export function wrapped(line: string, columns: number): string[] {
  const plain = stripVTControlCharacters(line)
  if (plain.length <= columns || isCopied(plain)) return [line]
  const hang = ' '.repeat(hangOf(plain, columns))
  const lines: string[] = []
  let current = ''
  for (const [piece] of line.matchAll(wordOrSpaces)) {
    const fits = widthOf(current + piece) <= columns || current.trim() === ''
    // A line of its own would leave the label alone, and still be too short.
    const isValue = widthOf(current) <= hang.length && widthOf(hang + piece) > columns
    if (piece.trim() === '' || fits || isValue) current += piece
    else {
      lines.push(current.trimEnd())
      current = `${hang}${piece}`
    }
  }
  return [...lines, current]
}

/**
 * A word may contain a string of JSON or a command in backquotes, with spaces. The limit is for a server that sends many
 * quotation marks without an end: each would be followed to the end of the line.
 */
const wordOrSpaces = /(?:"(?:[^"\\]|\\.){0,1000}"|`[^`]*`|\S)+|\s+/g

/** A command, an address, or a line of an exchange: `$ curl ...`, `next  conformance ...`, `page  https:...`, `< {...}`. */
function isCopied(plain: string): boolean {
  return /^\s*(?:[$<>] |(?:replay|about) {2,}|(?:[\w-]+ {2,})?(?:npx |conformance |https?:\/\/\S*$))/.test(
    plain,
  )
}

/** Where the text of a line begins, after its indentation and its label or sign. */
function hangOf(plain: string, columns: number): number {
  const [indent = ''] = /^\s*/.exec(plain) ?? []
  const [label = ''] = /^\s*(?:[\w.-]+ {2,}|[✗✓!·◌?-] )/.exec(plain) ?? []
  if (columns < narrow || label.length > deepest) return indent.length + 2
  return Math.max(label.length, indent.length)
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length
}
