/**
 * Everything that expires, created together and requested after its time: so that waiting is paid once in a run. All lifetimes
 * of the tables `shortlived` and `hasty` are ten seconds.
 *
 * @module
 */

import {
  BlockedError,
  BrokenConnectionError,
  expectSuccess,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, OTHER_PASSWORD } from './accounts.ts'
import { confirmChange, confirmReset, confirmVerification } from './confirm-flows.ts'
import { byOtp, changeToken, flowToken, newOtp } from './email-flows.ts'
import { expectRefreshOffered } from './expect-refresh-offered.ts'
import { hidden } from './session-in.ts'
import { byPassword, signedIn, tokenGiven } from './sessions.ts'

/** What was requested after the time was over. */
export type AgedPart =
  | 'session'
  | 'refreshed'
  | 'otp'
  | 'mfa'
  | 'verification'
  | 'password-reset'
  | 'email-change'

/** Makes two things that expire, uses one immediately, and returns the function that uses the other one later. */
type Make = (context: CheckContext) => Promise<(context: CheckContext) => Promise<ApiResponse>>

const LIFETIME = 10

const makers: Record<Exclude<AgedPart, 'refreshed'>, Make> = {
  async session(context) {
    const me = await signedIn(context, 'shortlived')
    const response = await me.api.authRefresh(me.table)
    await expectRefreshOffered(context, me.table, response)
    control(response)
    return (later) => later.api.withToken(me.token, 'aged').authRefresh(me.table)
  },
  async otp(context) {
    const account = await newAccount(context, 'shortlived', { verified: true })
    const [one, other] = [await newOtp(context, account), await newOtp(context, account)]
    control(await byOtp(context, account, one))
    return (later) => byOtp(later, account, other)
  },
  async mfa(context) {
    const account = await newAccount(context, 'hasty', { verified: true })
    const mfaId = async () => objectBody(await byPassword(context, account)).mfaId
    const [one, other] = [await mfaId(), await mfaId()]
    control(await byOtp(context, account, await newOtp(context, account), { mfaId: one }))
    return async (later) => byOtp(later, account, await newOtp(later, account), { mfaId: other })
  },
  async verification(context) {
    const account = await newAccount(context, 'shortlived')
    const token = await flowToken(context, 'verification', account)
    control(await confirmVerification(context, account, token))
    return (later) => confirmVerification(later, account, token)
  },
  async 'password-reset'(context) {
    const [one, other] = [await newAccount(context, 'shortlived'), await newAccount(context, 'shortlived')]
    const [used, kept] = [
      await flowToken(context, 'password-reset', one),
      await flowToken(context, 'password-reset', other),
    ]
    control(await confirmReset(context, one, used, OTHER_PASSWORD))
    return (later) => confirmReset(later, other, kept, OTHER_PASSWORD)
  },
  async 'email-change'(context) {
    const [one, other] = [await signedIn(context, 'shortlived'), await signedIn(context, 'shortlived')]
    const [used, kept] = [
      await changeToken(context, one, newEmail(context)),
      await changeToken(context, other, newEmail(context)),
    ]
    control(await confirmChange(context, one, used))
    return (later) => confirmChange(later, other, kept)
  },
}

function control(response: ApiResponse): void {
  expectSuccess(response, 'a use before it expires')
}

/** Seconds from now on, on the wall or moved ahead. */
function ageOf({ clock }: CheckContext): () => number {
  const [begin, moved] = [performance.now(), clock.moved]
  return () => (performance.now() - begin) / 1_000 + clock.moved - moved
}

/**
 * The response to a use that was meant to be in time.
 *
 * @throws BlockedError if it is a rejection so late that it may be right: the lifetime of a token counts whole seconds
 */
function inTime(response: ApiResponse, age: number): ApiResponse {
  if (response.ok || age < LIFETIME - 1) return response
  throw new BlockedError(
    `${age.toFixed(1)} seconds passed before the use of a token that lasts ${LIFETIME}: the machine or the server was busy`,
  )
}

type Aged = Partial<Record<AgedPart, () => ApiResponse>>

/** The response to a use after the time. @throws what went wrong when it was made */
export async function aged(context: CheckContext, part: AgedPart): Promise<ApiResponse> {
  const all = await context.once('aged', () => makeAgedParts(context))
  const response = all[part]?.()
  if (response === undefined) throw new BlockedError(`the target has no "${part}"`)
  return response
}

async function makeAgedParts(context: CheckContext): Promise<Aged> {
  const { clock } = context
  const later = new Map<AgedPart, (context: CheckContext) => Promise<ApiResponse>>()
  const out: Aged = {}
  const keep = async (part: AgedPart, work: () => Promise<ApiResponse | undefined>) => {
    try {
      const response = await work()
      if (response !== undefined) out[part] = () => response
    } catch (error) {
      // Other checks that share the result would all fail because of one broken connection.
      if (error instanceof BrokenConnectionError && !error.confirmed) throw error
      out[part] = () => {
        throw error
      }
    }
  }
  // One session is refreshed half-way: what it gives must live on when the session itself has ended.
  let halfway: string | undefined
  let refreshed: string | undefined
  let age = ageOf(context)
  for (const [part, make] of Object.entries(makers) as [Exclude<AgedPart, 'refreshed'>, Make][]) {
    if (part === 'mfa' && !context.has('mfa')) continue
    if (part !== 'session' && !context.has('mail')) continue
    await keep(part, async () => {
      later.set(part, await make(context))
      return undefined
    })
  }
  await keep('refreshed', async () => {
    age = ageOf(context)
    halfway = (await signedIn(context, 'shortlived')).token
    return undefined
  })
  await clock.pass(4)
  if (out.refreshed === undefined) {
    await keep('refreshed', async () => {
      const sessionAge = age
      age = ageOf(context)
      const table = context.table('shortlived')
      const refresh = await context.api.withToken(halfway ?? '', 'user').authRefresh(table)
      const response = inTime(refresh, sessionAge())
      await expectRefreshOffered(context, table, response)
      control(response)
      refreshed = await tokenGiven(context, table, response)
      return undefined
    })
  }
  await clock.pass(LIFETIME - 4 + 1.5)
  if (out.refreshed === undefined) {
    await keep('refreshed', async () => {
      // Where no new token is found, it may be the session itself that lasts longer.
      const response = await context.api
        .withToken(refreshed ?? halfway ?? '', 'refreshed')
        .authRefresh(context.table('shortlived'))
      if (refreshed === undefined && !response.ok) throw hidden('a refresh', 'token')
      return inTime(response, age())
    })
  }
  for (const [part, use] of later) await keep(part, () => use(context))
  return out
}
