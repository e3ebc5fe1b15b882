import type { Body } from '../vocabulary/api.ts'

/**
 * Values as a create sends them: `{unique}` in a string is replaced.
 *
 * @param word makes one that no other record has, each time
 */
export function filledValues(values: Body, word: () => string): Body {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll('{unique}', word) : value,
    ]),
  )
}
