/**
 * Writes `spec/generated/operations.ts` from the OpenAPI description: `npm run generate`. The validator and the reference
 * read no file when they start, and the compiler knows the operations by their ids.
 *
 * @module
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { openApiDocument } from '../spec/openapi.ts'
import { documentPrefix } from '../spec/prefix.ts'

const target = new URL('../spec/generated/operations.ts', import.meta.url)

const head = `/**
 * Generated from spec/openapi.yaml by \`npm run generate\`. Not to be edited.
 *
 * @module
 */

/** The operations of the document, in the order of the description. \`segments\`: of the path after the prefix. */
export const operationPaths = [
`

/** The text that the generated file should have. */
export function generateOperations(): string {
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

/** The text that it has. Empty when it does not exist. */
export async function generatedOperations(): Promise<string> {
  return readFile(target, 'utf8').catch(() => '')
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await mkdir(new URL('.', target), { recursive: true })
  await writeFile(target, generateOperations())
}
