/**
 * Order of texts by their bytes, as the profile sorts and compares them (UTF-8, so by code points).
 *
 * @returns below 0, 0, above 0
 */
export function compareFieldText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    // Half of a pair stands for a code point above all that need one unit, though some of those have higher units.
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
