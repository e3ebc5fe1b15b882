/**
 * Creates the context of a check: the helpers of `CheckContext`, bound to a session.
 *
 * @module
 */

import type { Requirement } from '../../../spec/vocabulary.ts'
import { uniqueIn } from '../../ownership/with-mark.ts'
import { isAbsent, lacks } from '../../target/is-absent.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { Examples } from '../../vocabulary/finding.ts'
import type { Session } from '../../vocabulary/session.ts'
import { UntestableError } from '../expect.ts'
import { tableHint } from '../gate.ts'
import type { OutsideProperties } from '../outside-properties.ts'
import { runProperty } from '../property.ts'
import { parsePath } from '../replay-path.ts'
import { apiKeysPart } from './api-keys-part.ts'
import { clockPart } from './clock-part.ts'
import { mailPart } from './mail-part.ts'
import { oncePart } from './once-part.ts'
import { providerPart } from './provider-part.ts'
import { recordsPart } from './records-part.ts'
import { rejectsPart } from './rejects-part.ts'

export interface ContextOptions {
  signal: AbortSignal
  /** `--path` */
  path?: string
  /** Counts the properties of the check, and the examples of those that the time limit ended. */
  properties: { count: number; cutShort?: Examples }
  outside: OutsideProperties
  /** Number of this run of the check, from 1. Each run has its own unique strings. */
  run: number
}

/** Requests per second; below this, each response arrives before the next request is sent, so that none overlap. */
const spreading = 200

export function createContext(
  session: Session,
  requirement: Requirement,
  { signal, path, properties, outside, run }: ContextOptions,
): CheckContext {
  const { options, target } = session
  const replay = path === undefined ? undefined : parsePath(path)

  return {
    id: requirement.id,
    traffic: session.traffic,
    replayPath: replay?.commands,
    api: session.api('guest'),
    binding: session.binding,
    unknownForms: session.target.unknownForms ?? [],
    claimsProfile: session.target.profile !== undefined,
    seed: options.seed,
    signal,
    mail: mailPart(session, signal, requirement),
    provider: providerPart(session),
    clock: clockPart(session, signal),
    apiKeys: apiKeysPart(session),
    unique: uniqueIn(session, run === 1 ? requirement.id : `${requirement.id} run ${run}`),
    once: oncePart(session, requirement.id, signal),
    rejectsAll: session.rejectsAll,
    knows: (actor) => session.actors.knows(actor),
    tokenOf: (actor) => session.actors.token(actor),
    goOn: (actor, token) => session.actors.goOn(actor, token),
    mayExist: (operation) => !isAbsent(target, operation),
    has: (capability) => session.smoke.capabilities[capability] === true && !lacks(target, capability),
    needsAtOnce() {
      if (options.concurrency === 1)
        throw new UntestableError('the run sends one request at a time', 'remove --concurrency 1')
      if (options.rate !== undefined && options.rate < spreading)
        throw new UntestableError(
          'the rate limit of the run keeps requests from overlapping',
          `remove --rate, or use at least ${spreading}`,
        )
    },
    hasTable: (role) => target.tables[role] !== undefined,
    table(role) {
      const table = target.tables[role]
      if (table === undefined) throw lacksTable(session, requirement, role)
      return table
    },
    ...recordsPart(session, signal),
    rejects: rejectsPart(requirement),
    async property(arbitraries, predicate, propertyOptions) {
      const cutShort = ({ run, of }: Examples) => {
        const before = properties.cutShort ?? { run: 0, of: 0 }
        properties.cutShort = { run: before.run + run, of: before.of + of }
      }
      const index = properties.count++
      const frame = { session, check: requirement.id, index, replay, signal, outside, cutShort }
      outside.take()
      try {
        await runProperty(frame, arbitraries, predicate, propertyOptions)
      } finally {
        outside.skip()
      }
    },
  }
}

/** Why a check has no table. A target that declares it absent gets other advice: it cannot declare it once more. */
function lacksTable({ target }: Session, { id }: Requirement, role: string): UntestableError {
  return target.absentTables?.includes(role) === true
    ? new UntestableError(
        `the check needs a table with the role "${role}", which the target file declares absent`,
        `map a table with the definition of conf_${role} in spec/tables.yaml, or leave out the check: --skip ${id}`,
      )
    : new UntestableError(`the target has no table with the role "${role}"`, tableHint(role))
}
