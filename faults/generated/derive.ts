/**
 * All breaches, derived from the description and a recording. The same recording gives the same names in the same order.
 *
 * @module
 */

import type { Breach } from './breach.ts'
import { keyBreaches } from './kinds/keys.ts'
import { statusBreaches } from './kinds/statuses.ts'
import type { Recording } from './recording.ts'

export function deriveBreaches(recording: Recording): Breach[] {
  const breaches = [...keyBreaches(recording), ...statusBreaches(recording)]
  const names = new Set(breaches.map(({ name }) => name))
  if (names.size < breaches.length) throw new Error('Two generated breaches have the same name.')
  return breaches
}
