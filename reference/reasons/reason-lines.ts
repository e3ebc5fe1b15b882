import { visibleLine } from '../../exchange/visible.ts'
import type { RejectionReason } from '../errors.ts'

/** A reason line by line. It quotes what the client sent, decoded, and is printed in places in which it could write lines of its own. */
export function reasonLines(reason: RejectionReason): string[] {
  return [reason()].flat().map(visibleLine)
}
