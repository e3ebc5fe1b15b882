/**
 * Explores a server as a run does that was given its address only, judges nothing, and deletes what it created.
 *
 * @module
 */

import { randomInt } from 'node:crypto'
import { loadRequirements } from '../../spec/requirements.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { ConfigurationError } from '../errors.ts'
import { sessionOptionsOf } from '../run-options.ts'
import { createSession } from '../session/create-session.ts'
import { smokeCheck } from '../smoke/smoke.ts'
import { prepareTarget } from '../target/prepare-target.ts'
import type { SendingOptions, SessionOptions, TargetOptions } from '../vocabulary/options.ts'
import type { Leftover } from '../vocabulary/report.ts'
import type { Target } from '../vocabulary/target.ts'
import { RequestCount } from '../wire/request-count.ts'
import { exploredTarget } from './explored-target.ts'
import type { FoundTable } from './find-tables.ts'
import { withoutReference } from './no-response.ts'
import { type OtherNames, otherNames, otherNamesNote } from './other-names.ts'

/** What is known of a server after its exploration. */
export interface Exploration {
  /** With the tables that were tried, and who sends the requests of guests to them. */
  target: Target
  found: readonly FoundTable[]
  /** What error responses call fields that the run sends under other names. */
  names: readonly OtherNames[]
  /** What there is to say, one line each. */
  notes: readonly string[]
  leftovers: readonly Leftover[]
}

export interface ExploreOptions
  extends Pick<TargetOptions, 'prefix' | 'readOnly' | 'allowRemoteWrites'>,
    SendingOptions,
    Pick<SessionOptions, 'headers'> {
  baseUrl: string
  /** Tables to request, in addition to usual names. */
  names?: readonly string[]
  /** Called with what is done next. */
  onStep?: (step: string) => void
}

/** @throws ConfigurationError as a run would */
export async function exploreServer({
  names = [],
  onStep = () => {},
  ...options
}: ExploreOptions): Promise<Exploration> {
  const seed = randomInt(0, 2 ** 31)
  const prepared = await prepareTarget(options, seed)
  try {
    const { target: bare, namespace, journal } = prepared
    const settings = { ...sessionOptionsOf(options), seed, namespace, journal }
    const count = new RequestCount()
    const withNames = { ...bare, bare: { ...bare.bare, names } }
    const { target, discovery, notes } = await exploredTarget(withNames, settings, count)
    const session = createSession(target, { requirements: loadRequirements(), count }, settings)
    try {
      onStep('looking at what the server can do')
      const smoke = await smokeCheck(session, { creates: true, checks: [] })
      const names = await otherNames(session, discovery)
      onStep('deleting what was created')
      await cleanEnd(session)
      return {
        target: session.target,
        found: discovery?.found ?? [],
        names,
        notes: [...notes, ...smoke.notes, ...names.map(otherNamesNote)],
        leftovers: session.cleanup.leftovers.all,
      }
    } finally {
      await session.close()
    }
  } catch (error) {
    throw error instanceof ConfigurationError ? withoutReference(error) : error
  } finally {
    await prepared.close()
  }
}
