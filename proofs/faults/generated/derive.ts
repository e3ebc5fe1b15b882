/**
 * All breaches, derived from the description and a recording. The same recording gives the same names in the same order.
 *
 * @module
 */

import type { Breach } from './breach.ts'
import { atOnceBreaches } from './kinds/at-once.ts'
import { effectBreaches } from './kinds/effects.ts'
import { keyBreaches } from './kinds/keys.ts'
import { permissionBreaches } from './kinds/permissions.ts'
import { routeBreaches } from './kinds/routes.ts'
import { sizeBreaches } from './kinds/sizes.ts'
import { statusBreaches } from './kinds/statuses.ts'
import type { RecordedTraffic } from './recording.ts'

const deriving = [
  effectBreaches,
  permissionBreaches,
  routeBreaches,
  sizeBreaches,
  atOnceBreaches,
  statusBreaches,
  keyBreaches,
]

export function deriveBreaches(recording: RecordedTraffic): Breach[] {
  const breaches = deriving.flatMap((derive) => derive(recording))
  const names = new Set(breaches.map(({ name }) => name))
  if (names.size < breaches.length) throw new Error('Two generated breaches have the same name.')
  return breaches
}
