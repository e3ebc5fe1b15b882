/**
 * What a server sent does not steer the terminal, turn around the words of a report, or hide in them. One rule for all
 * formats that people read: a character that cannot be seen is written as what it is.
 *
 * @module
 */

/**
 * Controls and format characters (those that change the direction of writing are among them), what takes no width, blanks
 * that look like a space or like nothing, separators of lines, lone surrogates and noncharacters. A tab and the end of a
 * line are seen.
 */
const invisible =
  /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?![\t\n ])[\p{Cc}\p{Z}]/gu

/** Whether a text holds characters that are not seen as they are. */
export function hasInvisible(text: string): boolean {
  return text.search(invisible) >= 0
}

/** A text with its invisible characters as `\xNN`, `\uNNNN` or `\u{NNNNN}`. */
export function visible(text: string): string {
  return text.replace(invisible, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16)
    if (code.length > 4) return `\\u{${code}}`
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for every string in a value: done before anything is painted, since colours are control characters too. */
export function visibleIn<Value>(value: Value): Value {
  return mapped(value) as Value
}

/** JSON with its invisible characters escaped: parsed, it is the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(invisible, (sign) =>
    sign.length === 1 ? escaped(sign, 0) : escaped(sign, 0) + escaped(sign, 1),
  )
}

function escaped(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(mapped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [visible(key), mapped(each)]))
}
