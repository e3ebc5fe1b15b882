import { createHash } from 'node:crypto'

/** An id that no other record has: 15 lower-case letters and digits made of a unique text, so the seed decides it. */
export function newId(unique: (prefix?: string) => string): string {
  return BigInt(`0x${createHash('sha256').update(unique('id')).digest('hex')}`)
    .toString(36)
    .slice(0, 15)
}
