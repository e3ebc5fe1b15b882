import { createHash } from 'node:crypto'

/** A new id: 15 lower-case letters and digits, derived from a unique string, so the seed decides it. */
export function newId(unique: (prefix?: string) => string): string {
  return BigInt(`0x${createHash('sha256').update(unique('id')).digest('hex')}`)
    .toString(36)
    .slice(0, 15)
}
