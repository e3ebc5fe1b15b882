/**
 * The checks whose exchanges a breach would change, by the recording.
 *
 * @module
 */

import type { Requirement } from '../../../spec/vocabulary.ts'
import type { Breach, Seen } from './breach.ts'
import { exchangesFor, type RecordedTraffic } from './recording.ts'

/** Ids of the checks whose exchanges it would change. */
export function* checksMeeting(breach: Breach, recording: RecordedTraffic): Generator<string> {
  const chosen = new Set<string>()
  let check: string | undefined
  let meets: (seen: Seen) => boolean = () => false
  for (const seen of exchangesFor(recording, breach)) {
    if (seen.check === '' || chosen.has(seen.check)) continue
    // A run of the check alone begins with nothing that the breach could remember.
    if (seen.check !== check) meets = breach.watch()
    check = seen.check
    if (!meets(seen)) continue
    chosen.add(seen.check)
    yield seen.check
  }
}

/** Ids: those of requirements about the operation first, and of these the ones that take the fewest requests. */
export function chooseChecks(
  breach: Breach,
  recording: RecordedTraffic,
  requirements: ReadonlyMap<string, Requirement>,
): string[] {
  const { requests } = recording
  const { operation } = breach
  const isAbout = (id: string) =>
    operation !== undefined && requirements.get(id)?.operations.includes(operation) === true
  return [...checksMeeting(breach, recording)].sort(
    (a, b) =>
      Number(isAbout(b)) - Number(isAbout(a)) ||
      (requests.get(a) ?? 0) - (requests.get(b) ?? 0) ||
      (a < b ? -1 : 1),
  )
}
