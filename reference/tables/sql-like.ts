import { likeMatcher } from '../query/like.ts'

/**
 * LIKE in a table definition: letters A to Z match in either case, `%` matches any run and `_` one character. Unlike in
 * a filter, a backslash is an ordinary character.
 */
export function sqlLike(text: string, pattern: string): boolean {
  return likeMatcher(pattern.replaceAll('\\', '\\\\'))(text)
}
