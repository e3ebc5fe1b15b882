/**
 * The text of a description, for files that are kept under version control.
 *
 * @module
 */

import { stringify } from 'yaml'
import type { Description } from './vocabulary.ts'

/**
 * Serializes a description. The same description gives the same text, which ends with a line feed. Each key and each
 * list entry is on its own line, so that versions can be compared line by line.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { describeTables, writeDescription } from 'record-auth-conformance/openapi'
 *
 * const description = describeTables([{ name: 'posts', type: 'base', fields: [{ name: 'title', type: 'text' }] }])
 * await writeFile('openapi.yaml', writeDescription(description, 'yaml'))
 * ```
 */
export function writeDescription(description: Description, format: 'yaml' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(description, null, 2)}\n`
  return stringify(description, {
    aliasDuplicateObjects: false,
    // Older parsers read `no` as a boolean and a timestamp as a date.
    compat: 'yaml-1.1',
    lineWidth: 0,
    singleQuote: false,
  })
}
