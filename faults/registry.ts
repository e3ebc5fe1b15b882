/**
 * Loads every file of this folder that declares faults.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { declaredFaults, type Fault } from './fault.ts'

const machinery = ['fault.ts', 'combinators.ts', 'registry.ts', 'faulty-server.ts']

export async function loadFaults(): Promise<readonly Fault[]> {
  const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !machinery.includes(file))
    .sort()
  for (const file of files) await import(new URL(file, import.meta.url).href)
  return declaredFaults()
}
