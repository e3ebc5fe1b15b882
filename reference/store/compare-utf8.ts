/**
 * The order of strings in lists. JavaScript compares UTF-16 units, SQLite bytes.
 *
 * @module
 */

/** Characters that are compared as a whole before the first difference is located. */
const piece = 256

/**
 * Order of two strings by their UTF-8 bytes, as the living family stores and sorts them (contract-records 1.5).
 * Comparing UTF-16 units differs only if a surrogate is compared with a unit above it.
 */
export function compareUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let at = 0
  // The engine compares substrings many times faster than a loop compares units.
  while (at + piece <= shorter && a.slice(at, at + piece) === b.slice(at, at + piece)) at += piece
  for (; at < shorter; at += 1) {
    const x = a.charCodeAt(at)
    const y = b.charCodeAt(at)
    if (x !== y) return weight(x) - weight(y)
  }
  return a.length - b.length
}

/** Moves surrogates above all other units, where their code points belong. */
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
