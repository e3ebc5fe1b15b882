import { stringify } from 'yaml'
import type { Description } from './vocabulary.ts'

/**
 * The text of a description, which ends with a line feed: the same description gives the same text. Each key and each
 * value of a list stands on a line of its own, so that versions can be compared line by line.
 */
export function writeDescription(description: Description, format: 'yaml' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(description, null, 2)}\n`
  return stringify(description, {
    aliasDuplicateObjects: false,
    // Older parsers take `no` for a boolean and an instant for a date.
    compat: 'yaml-1.1',
    lineWidth: 0,
    singleQuote: false,
  })
}
