/**
 * Writes `spec/generated/operations.ts` from the OpenAPI description: `npm run generate`. The validator and the reference
 * read no file when they start, and the compiler knows the operations by their ids.
 *
 * @module
 */

import { openApiDocument } from '../spec/openapi.ts'
import { documentPrefix } from '../spec/prefix.ts'
import { generatedFile } from './support/generated-file.ts'

export const operationsFile = generatedFile(
  new URL('../spec/generated/operations.ts', import.meta.url),
  generateOperations,
)

const head = `/**
 * Generated from spec/openapi.yaml by \`npm run generate\`. Not to be edited.
 *
 * @module
 */

/** The operations of the document, in the order of the description. \`segments\`: of the path after the prefix. */
export const operationPaths = [
`

function generateOperations(): string {
  const lines = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) => {
    const segments = path.slice(documentPrefix.length + 1).split('/')
    return (['get', 'post', 'patch', 'delete'] as const).flatMap((method) => {
      const id = item?.[method]?.operationId
      if (id === undefined) return []
      const list = segments.map((segment) => `'${segment}'`).join(', ')
      return [`  { id: '${id}', method: '${method.toUpperCase()}', segments: [${list}] },\n`]
    })
  })
  return `${head}${lines.join('')}] as const\n`
}

if (process.argv[1] === new URL(import.meta.url).pathname) await operationsFile.write()
