/**
 * Loads every file that declares faults: those of the folder above, which holds nothing else.
 *
 * @module
 */

import { type DeclaredFault, declaredFaults } from '../fault.ts'
import { importFolder } from './import-folder.ts'

export async function loadFaults(): Promise<readonly DeclaredFault[]> {
  await importFolder(new URL('../', import.meta.url))
  return declaredFaults()
}
