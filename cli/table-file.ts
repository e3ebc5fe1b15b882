/**
 * Reads `--tables FILE`: definitions of tables, as an export or in the format of spec/tables.yaml.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { ConfigurationError, messageOf } from '../harness/errors.ts'
import { tablesIn } from '../openapi/tables-in.ts'
import type { ExportedTable } from '../openapi/vocabulary.ts'

/**
 * @param read takes what is needed from one table, and throws if it is missing
 * @throws ConfigurationError if the file cannot be read, or does not hold tables
 */
export async function readTableFile<Read>(
  file: string,
  read: (table: ExportedTable, at: number) => Read,
): Promise<Read[]> {
  const place = `--tables ${file}`
  const { parseYaml } = await import('../harness/support/parse-yaml.ts')
  let text: string
  try {
    // Some editors write a byte order mark.
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw unusable(place, (error as NodeJS.ErrnoException).code ?? messageOf(error))
  }
  const content = parseYaml('the file of table definitions', place, text)
  try {
    return tablesIn(content).map(read)
  } catch (error) {
    throw unusable(place, messageOf(error))
  }
}

function unusable(place: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `the table definitions cannot be read: ${why}`,
    place,
    'use a JSON or YAML file with an export of the living server family, or in the format of spec/tables.yaml',
  )
}
