/**
 * Escapes any text from a server for XML 1.0.
 *
 * @module
 */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Escapes for element content and attributes, and replaces what XML forbids even in escaped form: control characters,
 * lone surrogates, U+FFFE and U+FFFF.
 */
export function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}

/** `name="value"` for each defined value, each with a leading space. Line breaks in values are kept as references. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replace(/[\t\n\r]/g, reference)}"`)
    .join('')
}

function reference(sign: string): string {
  return `&#${sign.charCodeAt(0)};`
}
