/**
 * Text as lists know it: its order, and patterns.
 *
 * @module
 */

/** Order by the bytes of UTF-8, which is not the order of JavaScript. Negative, zero or positive. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** ASCII letters in lower case, all others as they are. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (char) => char.toLowerCase())
}

/**
 * Whether `~` finds `wanted` in `text`. Without a percent sign: somewhere in it. With one: the whole text, `%` standing
 * for anything and `_` for one character. Knows no escapes: patterns with a backslash are not for this oracle.
 */
export function like(text: string, wanted: string): boolean {
  const [inside, pattern] = [lowerAscii(text), lowerAscii(wanted)]
  return pattern.includes('%') ? matches([...inside], [...pattern]) : inside.includes(pattern)
}

function matches(text: readonly string[], pattern: readonly string[]): boolean {
  // Row by row: reached[i] says whether the pattern so far can end before character i.
  let reached = [true, ...text.map(() => false)]
  for (const sign of pattern) {
    const next = reached.map(() => false)
    let open = false
    reached.forEach((here, index) => {
      if (sign === '%') {
        open ||= here
        next[index] = open
      } else if (here && index < text.length && (sign === '_' || sign === text[index])) next[index + 1] = true
    })
    reached = next
  }
  return reached.at(-1) === true
}
