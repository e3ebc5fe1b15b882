/**
 * Loads every file that declares variations: those of the folder above, which holds nothing else but their vocabulary.
 *
 * @module
 */

import { importFolder } from '../../faults/matrix/import-folder.ts'
import { declaredVariations, type Variation } from '../variation.ts'

export async function loadVariations(): Promise<readonly Variation[]> {
  await importFolder(new URL('../', import.meta.url))
  return declaredVariations()
}
