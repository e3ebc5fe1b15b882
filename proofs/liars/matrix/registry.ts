/**
 * Loads every file that declares liars: those of the folder above, which holds nothing else but their vocabulary.
 *
 * @module
 */

import { importFolder } from '../../faults/matrix/import-folder.ts'
import { declaredLiars, type Liar } from '../liar.ts'

export async function loadLiars(): Promise<readonly Liar[]> {
  await importFolder(new URL('../', import.meta.url))
  return declaredLiars()
}
