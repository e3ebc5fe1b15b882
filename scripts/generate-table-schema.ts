/**
 * Writes `spec/table.schema.json` from `spec/table-schema.ts`: `npm run generate`. Editors read it, and the build
 * compiles it.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import { tableSchema } from '../spec/table-schema.ts'

const target = new URL('../spec/table.schema.json', import.meta.url)

/** The text that the file must have. */
export function generateTableSchema(): string {
  return `${JSON.stringify(tableSchema, null, 2)}\n`
}

/** The text that it has. Empty when it does not exist. */
export async function generatedTableSchema(): Promise<string> {
  return readFile(target, 'utf8').catch(() => '')
}

if (process.argv[1] === new URL(import.meta.url).pathname) await writeFile(target, generateTableSchema())
