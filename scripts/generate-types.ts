/**
 * Writes `spec/generated/api-types.ts` from the OpenAPI description: `npm run generate`.
 *
 * @module
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

const source = new URL('../spec/openapi.yaml', import.meta.url)
const target = new URL('../spec/generated/api-types.ts', import.meta.url)

const HEADER = `/**
 * Generated from spec/openapi.yaml by \`npm run generate\`. Not to be edited.
 *
 * @module
 */

`

/** The text that the generated file ought to have. */
export async function generateTypes(): Promise<string> {
  return HEADER + astToString(await openapiTS(source, { alphabetize: false, silent: true }))
}

/** The text that it has. Empty when it does not exist. */
export async function generatedTypes(): Promise<string> {
  return readFile(target, 'utf8').catch(() => '')
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await mkdir(new URL('.', target), { recursive: true })
  await writeFile(target, await generateTypes())
}
