/**
 * Loads every file that declares faults: those of the folder above, which holds nothing else.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { declaredFaults, type Fault } from '../fault.ts'

const folder = new URL('../', import.meta.url)

export async function loadFaults(): Promise<readonly Fault[]> {
  const files = readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
  for (const file of files) await import(new URL(file, folder).href)
  return declaredFaults()
}
