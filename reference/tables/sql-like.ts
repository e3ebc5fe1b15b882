import { likeMatcher } from '../query/like.ts'

/**
 * LIKE as a table definition writes it: letters A to Z match in either case, `%` any run and `_` one character. Other than
 * in a filter a backslash is a character like any other.
 */
export function sqlLike(text: string, pattern: string): boolean {
  return likeMatcher(pattern.replaceAll('\\', '\\\\'))(text)
}
