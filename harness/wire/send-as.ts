/**
 * Sends the requests of one actor: with its token, within the limits of the run, and noted for the clean-up.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import { StoppedError } from '../errors.ts'
import { BlockedError } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { effectOf, expectSendable } from './expect-sendable.ts'
import { isHeaderValue } from './header-value.ts'
import { learnUsernames, noteChanges } from './learn-usernames.ts'
import { repeating } from './repeat.ts'
import { expectUnlimited, sendRecorded } from './send.ts'
import { learnIdentifiers, standInToken } from './stand-in.ts'
import type { WireRequest } from './transport.ts'
import type { WriteTracker } from './write-tracker.ts'

export interface Identity {
  actor: string
  /** The Authorization value; undefined for a guest. */
  authorization(): Promise<string | undefined>
  /** Its requests are sent even after the run was stopped: clean-up, and the sign-in that it needs. @default false */
  cleaning?: boolean
  /** Whether a 429 is returned like any other response. @default false */
  counting?: boolean
  /** Whether it signs in with each identity as it is, also where accounts sign in by username. @default false */
  literal?: boolean
}

/** @param shown the body as it is recorded */
export type Send = (
  operation: OperationId | undefined,
  request: Pick<WireRequest, 'method' | 'path' | 'headers' | 'body' | 'alone'>,
  shown: string,
) => Promise<ApiResponse>

export function sendAs(
  session: Wire & CleanUp & Course & RunSettings & TargetFacts,
  { actor, authorization, cleaning = false, counting = false }: Identity,
  writes: WriteTracker,
): Send {
  /** The Authorization value that is sent unless the request has one. */
  async function token(request: Parameters<Send>[1]): Promise<string | undefined> {
    const standIn = actor === 'guest' ? standInToken(session, request) : undefined
    return (await authorization()) ?? standIn
  }

  return async (operation, request, shown) => {
    const effect = effectOf(operation, request.method)
    expectSendable(session, operation, effect, cleaning)
    const given = await token(request)
    if (given !== undefined) request.headers.authorization ??= given
    // Tokens come from the server. The tester's own are checked when they are read.
    if (!isHeaderValue(request.headers.authorization ?? ''))
      throw new BlockedError('a token contains characters that no header can carry, so it cannot be sent')
    for (const table of writes.tables(operation, request)) await session.ownership.beforeCreate(table)
    await session.ownership.expectOurs(request)
    // Checked last, since the steps before take time.
    if (!cleaning && session.signal?.aborted === true) throw new StoppedError('the run was stopped')
    const position = cleaning ? 0 : ++session.connections.sent
    session.count.sent[effect] += 1
    let attempts = 0
    const sendOnce = async (onNoResponse: () => void) => {
      if (attempts++ > 0) await session.ownership.expectOurs(request)
      const intended = writes.intend(operation, request)
      noteChanges(session, operation, request)
      const response = await sendRecorded(session, {
        operation,
        actor,
        request: { ...request },
        shown,
        counted: counting,
        position,
        cleaning,
        onNoResponse,
      })
      writes.afterResponse(operation, request, response, intended)
      learnIdentifiers(session, response.body)
      learnUsernames(session, request, response)
      if (!counting) expectUnlimited(operation, request, response)
      return response
    }
    const { alone = false, body } = request
    const repeatable = { reading: effect === 'reads', alone, cleaning, body }
    const onNoResponse = () => writes.withoutResponse(operation, request)
    return session.pending(() => repeating(session, repeatable, sendOnce, onNoResponse))
  }
}
