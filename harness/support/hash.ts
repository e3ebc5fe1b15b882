/**
 * Everything random in a run follows from one number. Pure functions.
 *
 * @module
 */

/** 32-bit FNV-1a of the parts, never negative. Stable over versions: replay commands depend on it. */
export function hashOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of parts.join('\u0000')) {
    hash ^= char.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** `count` lower-case letters and digits that follow from the parts. */
export function idCharacters(count: number, ...parts: readonly (string | number)[]): string {
  let text = ''
  for (let round = 0; text.length < count; round++) {
    text += hashOf(...parts, round)
      .toString(36)
      .padStart(7, '0')
      .slice(-6)
  }
  return text.slice(0, count)
}

/** Seed of the `index`-th property of a check: independent of which other checks run. */
export function propertySeed(runSeed: number, check: string, index: number): number {
  return hashOf(runSeed, check, index) | 0
}
