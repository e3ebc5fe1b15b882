/**
 * Loads every file of a folder for what it declares.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder's own files in the order of their names, tests left out. What is in its folders is not loaded. */
export async function importFolder(folder: URL): Promise<void> {
  const files = readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
  for (const file of files) await import(new URL(file, folder).href)
}
