import { types } from 'node:util'

/**
 * Whether a value is bytes, a Buffer included. `instanceof` is wrong in test environments such as jsdom, which replace
 * the global class: Node's own buffers are then not instances of it.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return types.isUint8Array(value)
}
