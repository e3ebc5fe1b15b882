/**
 * Text from a server must not control the terminal, change the direction of the text in a report, or be invisible
 * there. One rule for all formats that people read: invisible characters are escaped.
 *
 * @module
 */

/**
 * Control and format characters (including those that change the text direction), zero-width characters, blanks that
 * look like a space or like nothing, line separators, lone surrogates and noncharacters. Tabs and line feeds count as
 * visible.
 */
const invisible =
  /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?![\t\n ])[\p{Cc}\p{Z}]/gu

/** Whether a string contains invisible characters. */
export function hasInvisible(text: string): boolean {
  return text.search(invisible) >= 0
}

/** Escapes the invisible characters of a string as `\xNN`, `\uNNNN` or `\u{NNNNN}`. */
export function visible(text: string): string {
  return text.replace(invisible, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16)
    if (code.length > 4) return `\\u{${code}}`
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for a text that must stay in one line: tabs and line feeds are escaped as well. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\t', '\\t').replaceAll('\n', '\\n')
}

/** Escapes the invisible characters of every string in a value. Call it before coloring: colors are control characters too. */
export function visibleIn<Value>(value: Value): Value {
  return mapped(value) as Value
}

/** Escapes the invisible characters of JSON. It parses to the same value. */
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
