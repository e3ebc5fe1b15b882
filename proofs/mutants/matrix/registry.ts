/**
 * Loads every file that declares mutants: those of the folder above, which holds nothing else.
 *
 * @module
 */

import { importFolder } from '../../faults/matrix/import-folder.ts'
import { declaredMutants, type Mutant } from '../mutant.ts'

export async function loadMutants(): Promise<readonly Mutant[]> {
  await importFolder(new URL('../', import.meta.url))
  return declaredMutants()
}
