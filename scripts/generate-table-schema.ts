/**
 * Writes `spec/table.schema.json` from `spec/table-schema.ts`: `npm run generate`. Editors read it, and the build
 * compiles it.
 *
 * @module
 */

import { tableSchema } from '../spec/table-schema.ts'
import { generatedFile } from './support/generated-file.ts'

export const tableSchemaFile = generatedFile(
  new URL('../spec/table.schema.json', import.meta.url),
  () => `${JSON.stringify(tableSchema, null, 2)}\n`,
)

if (process.argv[1] === new URL(import.meta.url).pathname) await tableSchemaFile.write()
