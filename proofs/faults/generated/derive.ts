/**
 * All breaches, derived from the description and a recording. The same recording gives the same names in the same order.
 *
 * For keys, statuses, effects, routes and sizes, a change that affects no recorded exchange is not a breach: correct
 * responses have that value anyway, or no such exchange exists. A check of a token or rule that no request meets, and an
 * operation that is never sent twice at the same time, are kept: they show what the suite does not reach, and survive
 * unless `argument-for.ts` has a reason.
 *
 * @module
 */

import type { Breach, BreachKind } from './breach.ts'
import { checksMeeting } from './choose-checks.ts'
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

/** Kinds that are derived whether or not a recorded exchange meets them. */
const unconditional: readonly BreachKind[] = ['permission', 'at once']

export function deriveBreaches(recording: RecordedTraffic): Breach[] {
  const breaches = deriving
    .flatMap((derive) => derive(recording))
    .filter((breach) => unconditional.includes(breach.kind) || isMet(breach, recording))
  const names = new Set(breaches.map(({ name }) => name))
  if (names.size < breaches.length) throw new Error('Two generated breaches have the same name.')
  return breaches
}

function isMet(breach: Breach, recording: RecordedTraffic): boolean {
  return checksMeeting(breach, recording).next().done === false
}
