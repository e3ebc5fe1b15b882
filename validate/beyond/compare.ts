/**
 * Compares strings by their UTF-8 bytes, that is by code points, as the profile sorts and compares them.
 *
 * @returns below 0, 0, above 0
 */
export function compareFieldText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    // A surrogate belongs to a code point above every single-unit one, although some single units are numerically
    // higher.
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
