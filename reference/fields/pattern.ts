/**
 * Patterns of definitions are written for RE2 and run here as JavaScript: the two differ in a few spellings, and
 * RE2 has neither look-around nor back references.
 *
 * @module
 */

const posixClasses: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/**
 * The pattern, unanchored like RE2's match.
 *
 * @throws Error that quotes the pattern when it is none, or uses what RE2 does not know
 */
export function compilePattern(pattern: string): RegExp {
  if (/\(\?(=|!|<=|<!)/.test(pattern) || /\\[1-9k]/.test(pattern.replace(/\\\\/g, ''))) {
    throw new Error(
      `Invalid regular expression "${pattern}": look-around and back references are not supported.`,
    )
  }
  const leading = /^\(\?([ims]+)\)/.exec(pattern)
  const source = pattern
    .slice(leading?.[0].length ?? 0)
    .replace(/\(\?P</g, '(?<')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
  try {
    return new RegExp(source, `u${leading?.[1] ?? ''}`)
  } catch {
    return withoutUnicodeMode(pattern, source, leading?.[1] ?? '')
  }
}

/** Unicode mode refuses harmless escapes such as `\-` outside a class, which RE2 takes. */
function withoutUnicodeMode(pattern: string, source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Invalid regular expression "${pattern}": ${reason}`)
  }
}
