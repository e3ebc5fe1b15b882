/**
 * The number of values and levels in a JSON text, without parsing it.
 *
 * @module
 */

/**
 * Maximum number of values in a response that is read: ten times a page of a thousand records with a hundred fields. In
 * memory, a value takes up to fifty times its text.
 */
export const mostValues = 1_000_000

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Levels of lists and objects in JSON, and about how many values it has: lists, objects and what commas separate. Does not
 * check that it is JSON.
 *
 * @param enough values after which the rest is not read. @default all are counted
 */
export function sizeOfJson(
  text: string,
  enough = Number.POSITIVE_INFINITY,
): { depth: number; values: number } {
  let [depth, most, values] = [0, 0, 0]
  for (let at = 0; at < text.length && values <= enough; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else if (sign === comma) values++
    else if (sign === openList || sign === openObject) {
      values++
      most = Math.max(most, ++depth)
    } else if (sign === closeList || sign === closeObject) depth--
  }
  return { depth: most, values }
}

/** Whether JSON has more values than this. A text with fewer characters is not read. */
export function hasMoreValues(text: string, most = mostValues): boolean {
  return text.length > most && sizeOfJson(text, most).values > most
}

/**
 * The beginning of a long JSON text as JSON: the values that are complete, with the lists and objects around them closed.
 *
 * @param most characters of the text that are read
 */
export function jsonBeginning(text: string, most: number): string {
  const open: string[] = []
  let [end, depth] = [0, 0]
  for (let at = 0; at < most && at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else if (sign === openList || sign === openObject) {
      open.push(sign === openList ? ']' : '}')
      // Nothing in it is complete yet.
      ;[end, depth] = [at + 1, open.length]
    } else if (sign === closeList || sign === closeObject) {
      open.pop()
      ;[end, depth] = [at + 1, open.length]
    } else if (sign === comma) [end, depth] = [at, open.length]
  }
  return text.slice(0, end) + open.slice(0, depth).reverse().join('')
}

/**
 * @param from index of the opening quotation mark
 * @returns index of the closing one, or the length of a text that is not JSON and has none
 */
export function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}
