/**
 * Which rows of a matrix a command prints: those that its arguments name.
 *
 * @module
 */

/**
 * @param find what a string names
 * @param nothing beginning of the message about a string that names nothing: `No fault is called`
 * @returns what at least one of the strings names, in the order of all; all if there is no string
 * @throws Error with the first string that names nothing
 */
export function chosenBy<Item>(
  strings: readonly string[],
  all: readonly Item[],
  find: (text: string) => readonly Item[],
  nothing: string,
): readonly Item[] {
  if (strings.length === 0) return all
  const named = new Set(
    strings.flatMap((text) => {
      const found = find(text)
      if (found.length === 0) throw nothingLike(nothing, text)
      return found
    }),
  )
  return all.filter((each) => named.has(each))
}

export function nothingLike(nothing: string, text: string): Error {
  return new Error(`${nothing} anything like "${text}". Without a string, all of them run.`)
}
