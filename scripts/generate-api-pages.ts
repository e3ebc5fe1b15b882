/**
 * Writes `docs/api/`, the API reference: `npm run docs:api`, and part of `npm run generate`.
 *
 * @module
 */

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiPages } from './api-pages.ts'

const target = fileURLToPath(new URL('../docs/api/', import.meta.url))
const pages = await apiPages()

await rm(target, { recursive: true, force: true })
for (const [path, text] of pages) {
  await mkdir(dirname(target + path), { recursive: true })
  await writeFile(target + path, text)
}
