/**
 * Writes the examples of `spec/openapi.yaml`, at its end: `npm run generate`. A run against the reference makes them.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { type Example, recordExamples } from './record-examples.ts'

const file = new URL('../../spec/openapi.yaml', import.meta.url)
const head =
  '  # Exchanges with the reference, written by scripts/openapi-examples/write-examples.ts. Do not edit.\n  examples:\n'

/** The text of the description with these examples instead of its own. */
export function withExamples(description: string, examples: Readonly<Record<string, Example>>): string {
  const at = description.indexOf(head)
  const before = at === -1 ? `${description.trimEnd()}\n\n` : description.slice(0, at)
  // Quoted: to other parsers of YAML, times are not strings.
  const format = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const
  const lines = stringify(examples, format).trimEnd().split('\n')
  return `${before}${head}${lines.map((line) => `    ${line}\n`).join('')}`
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  await writeFile(file, withExamples(await readFile(file, 'utf8'), await recordExamples()))
