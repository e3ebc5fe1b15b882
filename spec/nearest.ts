/**
 * "Did you mean": finds the nearest known word, for messages about unknown ones.
 *
 * @module
 */

/**
 * Maximum length in characters. A longer word is not a typo, and the time is proportional to the product of both lengths.
 */
const longest = 64

/** Edits. */
const missingEnd = 2

/**
 * The candidate with the fewest edits to the word; undefined if all are too different for a useful hint, or the word is
 * longer than 64 characters. A missing end counts as two edits, however long it is: "list.totl" means "list.total-pages"
 * and not "list.page".
 *
 * @param below fewer edits than this. @default 60 % of its length, at least 3; of a word of three characters or fewer,
 *   one may differ: with two edits "zz" becomes "id", and any short word any other
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  below = word.length < 4 ? Math.min(word.length, 2) : Math.max(3, Math.ceil(word.length * 0.6)),
): string | undefined {
  if (word.length > longest) return undefined
  let found: string | undefined
  let limit = below
  for (const candidate of candidates) {
    if (candidate.length > longest) continue
    const { whole, beginning } = editDistances(word.toLowerCase(), candidate.toLowerCase())
    const distance = Math.min(whole, beginning + missingEnd)
    if (distance < limit) {
      limit = distance
      found = candidate
    }
  }
  return found
}

/** ` Did you mean "x"?` with the space before it, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** A word as a message quotes it: a long one is truncated, so that the length of the input does not matter. */
export function quoted(word: string): string {
  return `"${word.length > longest ? `${word.slice(0, longest)}…` : word}"`
}

/**
 * Edits between a word and the whole of another one, and the nearest beginning of it: insertions, deletions, replacements of
 * one character, and swaps of two neighbors.
 */
function editDistances(from: string, to: string): { whole: number; beginning: number } {
  let above: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  const characters = [...from]
  for (const [line, character] of characters.entries()) {
    const next = [line + 1]
    for (let column = 1; column < row.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 1)
      // Swapped, short words become other words: "form" is not a mistake for "from".
      const isSwap =
        characters.length > 4 && character === to[column - 2] && characters[line - 1] === to[column - 1]
      const swapped = isSwap ? (above[column - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    above = row
    row = next
  }
  return { whole: row.at(-1) ?? 0, beginning: Math.min(...row) }
}
