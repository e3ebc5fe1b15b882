/**
 * Extracts the elements of one list from a JSON text as it arrives, so that a recording of any size needs only the
 * memory of its largest entry.
 *
 * @module
 */

const quote = 34
const backslash = 92

export interface EntrySplitter {
  /** The next piece of the text. @returns the strings of the objects and lists that end in it */
  feed(text: string): string[]
  /** Whether all brackets are closed. */
  readonly whole: boolean
}

/** @param path keys of the path to the list: `['log', 'entries']`; empty when the text itself is the list */
export function createEntrySplitter(path: readonly string[]): EntrySplitter {
  const inside = path.length + 1
  let depth = 0
  let matched = 0
  let inText = false
  let escaped = false
  let key: string[] | undefined
  let lastKey = ''
  let entry: string[] | undefined

  /** Keys are read only on the path to the list. */
  const onTheWay = () => depth <= path.length && depth === matched + 1

  function feed(text: string): string[] {
    const found: string[] = []
    let keyFrom = 0
    let entryFrom = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (inText) {
        if (escaped) escaped = false
        else if (code === backslash) escaped = true
        else if (code === quote) {
          inText = false
          if (key !== undefined) lastKey = [...key, text.slice(keyFrom, at)].join('')
          key = undefined
        }
      } else if (code === quote) {
        inText = true
        if (onTheWay()) {
          key = []
          keyFrom = at + 1
        }
      } else if (code === 123 || code === 91) {
        const list = code === 91
        if (entry === undefined && matched === path.length && depth === inside) {
          entry = []
          entryFrom = at
        }
        if (depth > 0 && onTheWay() && lastKey === path[matched] && list === (matched === path.length - 1))
          matched += 1
        lastKey = ''
        depth += 1
      } else if (code === 125 || code === 93) {
        depth -= 1
        if (entry !== undefined && depth === inside) {
          found.push([...entry, text.slice(entryFrom, at + 1)].join(''))
          entry = undefined
        } else if (depth <= matched) matched = Math.max(0, depth - 1)
      }
    }
    key?.push(text.slice(keyFrom))
    entry?.push(text.slice(entryFrom))
    return found
  }

  return {
    feed,
    get whole() {
      return depth === 0 && !inText
    },
  }
}
