/**
 * Creates the context of a check: the helpers of `CheckContext`, bound to a session.
 *
 * @module
 */

import type { Requirement } from '../../../spec/vocabulary.ts'
import { recordOfCreate } from '../../cleanup/created-record.ts'
import { StoppedError } from '../../errors.ts'
import { uniqueIn } from '../../ownership/own-mark.ts'
import { isAbsent, lacks } from '../../target/is-absent.ts'
import type { ApiResponse, Body, WireRecord } from '../../vocabulary/api.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { Examples } from '../../vocabulary/finding.ts'
import type { Session } from '../../vocabulary/session.ts'
import type { TableRef } from '../../vocabulary/target.ts'
import {
  BlockedError,
  BrokenConnectionError,
  ExpectationError,
  expectEqual,
  expectNoSuccess,
  expectRejection,
  expectStatus,
  RateLimitedError,
  requestName,
  UntestableError,
} from '../expect.ts'
import { tableHint } from '../gate.ts'
import type { OutsideProperties } from '../outside-properties.ts'
import { runProperty } from '../property.ts'
import { parsePath } from '../replay-path.ts'
import { responseSummary } from '../response-summary.ts'
import { apiKeysPart } from './api-keys-part.ts'
import { clockPart } from './clock-part.ts'
import { mailPart } from './mail-part.ts'
import { providerPart } from './provider-part.ts'

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
  const maker = session.actors.knows('superuser') ? session.api('superuser') : session.api('guest')

  /** The bodies of records that were created, as JSON. */
  const accepted = new Set<string>()

  const context: CheckContext = {
    id: requirement.id,
    traffic: session.traffic,
    replayPath: replay?.commands,
    api: session.api('guest'),
    binding: session.binding,
    unknownForms: session.target.unknownForms ?? [],
    seed: options.seed,
    signal,
    mail: mailPart(session, signal),
    provider: providerPart(session),
    clock: clockPart(session, signal),
    apiKeys: apiKeysPart(session),
    unique: uniqueIn(session, run === 1 ? requirement.id : `${requirement.id} run ${run}`),
    async once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = session.shared.get(key)
      if (known !== undefined) {
        try {
          return (await known.made) as T
        } finally {
          session.recorder.recall(known.exchanges)
          session.coverage.recall(known.covered, requirement.id)
        }
      }
      const mark = session.cleanup.mark()
      const scope = session.recorder.open()
      const covered = session.coverage.share()
      const repeated = session.connections.repeatedWrites
      const made = make()
      session.shared.set(key, { made, exchanges: scope.exchanges, covered })
      try {
        return await made
      } catch (error) {
        // A timeout, a rate limit or a broken connection in this check says nothing about the next one.
        const passing = error instanceof RateLimitedError || error instanceof BrokenConnectionError
        if (signal.aborted || passing || session.connections.repeatedWrites > repeated)
          session.shared.delete(key)
        throw error
      } finally {
        scope.close()
        covered.close()
        // If it is not shared after all, it is deleted with everything else that the check created.
        if (session.shared.has(key)) session.cleanup.keepFrom(mark)
      }
    },
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
      if (table === undefined)
        throw new UntestableError(`the target has no table with the role "${role}"`, tableHint(role))
      return table
    },
    async make(table, body = {}, query) {
      if (signal.aborted) throw new StoppedError('the run was stopped')
      const response = await maker.create(table, body, query)
      const values = `${table.name} ${JSON.stringify(body)}`
      if (!response.ok) {
        const cause = accepted.has(values)
          ? `; one with the same values was created before: if they must be unique, map the role "${table.role}" to another table`
          : ''
        throw new BlockedError(
          `a record for the check could not be created in ${table.name}: ${responseSummary(response, 300)}${cause}`,
        )
      }
      accepted.add(values)
      return made(table, response, body)
    },
    created: (table, response) => made(table, response),
    async makeMany(table, bodies) {
      const made: WireRecord[] = []
      for (const body of bodies) made.push(await context.make(table, body as Body))
      return made
    },
    async rejects({ control, attempt, status, data }) {
      const accepted = await control()
      if (!accepted.ok)
        throw new BlockedError(
          `the precondition does not hold: the valid request was rejected: ${responseSummary(accepted, 300)}`,
        )
      const rejected = await attempt()
      const what = requestName(rejected, 'invalid')
      if (requirement.basis !== 'profile') expectNoSuccess(rejected, what)
      else {
        expectRejection(rejected, what)
        if (status !== undefined) expectStatus(rejected, status, what)
        for (const [field, code] of Object.entries(data ?? {}))
          expectEqual(codeAt(rejected, field), code, `data.${field}.code in the response to ${what}`)
      }
      return rejected
    },
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
  return context

  async function made(table: TableRef, response: ApiResponse, body?: Body): Promise<WireRecord> {
    const record = await recordOfCreate(session, maker, table, response, body)
    if (record === undefined)
      throw new BlockedError(
        `the create response of ${table.name} contains no id (body or Location), and no list shows exactly one new record with its string; return the id: ${responseSummary(response, 300)}`,
      )
    return record
  }
}

/** The code in an error envelope's `data` at a dotted path; the path may end at a nested error. */
function codeAt(response: ApiResponse, path: string): unknown {
  let here: unknown = (response.body as { data?: unknown } | undefined)?.data
  for (const part of path.split('.')) {
    if (typeof here !== 'object' || here === null)
      throw new ExpectationError(`the error response has no data.${path}`, path, response.text)
    here = (here as Record<string, unknown>)[part]
  }
  return (here as { code?: unknown } | undefined)?.code
}
