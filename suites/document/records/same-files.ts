/**
 * Whether two responses show the same files: the same number, with the same names if names can be recognized. The
 * addresses of files may be signed, and therefore differ from response to response.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'

export function sameFiles(now: unknown, before: unknown): boolean {
  return isDeepStrictEqual(filesIn(now).map(nameOf).sort(), filesIn(before).map(nameOf).sort())
}

function filesIn(value: unknown): unknown[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (each) => each !== '' && each !== null && each !== undefined,
  )
}

/** The last part of an address, or the first name that an object gives. */
function nameOf(file: unknown): string {
  if (typeof file === 'object' && file !== null) {
    const { id, name, filename, url } = file as Record<string, unknown>
    return nameOf(id ?? name ?? filename ?? url ?? '')
  }
  return String(file).split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
}
