/**
 * Sends derived cases of one operation, and expects of each response what holds for every server: a JSON body, none of the
 * document's requirements broken, no password, and no effect of what is rejected.
 *
 * @module
 */

import fc from 'fast-check'
import { BlockedError, ExpectationError, isRejected } from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { DerivedCase } from './case.ts'
import type { Draft } from './draft.ts'
import { isOfForm } from './form.ts'
import { sampleGroups } from './sample.ts'
import { sendDraft } from './send-draft.ts'
import { type SentCase, suspect } from './suspect.ts'

/** A valid request, and what is around it. */
export interface ValidRequest {
  draft: Draft
  as: Api
  table?: TableRef
  /** Whether the request proves what it has to prove. False where the run could not get the proof. @default true */
  proven?: boolean
  /** Strings that only a rejection may contain, which may repeat what was sent. */
  secrets: readonly string[]
  /**
   * Expects that the requests that were rejected have changed nothing. Absent: they could not.
   *
   * @param derived the likeliest of them, if something has changed
   */
  unchanged?(derived: DerivedCase, what: string): Promise<void>
  /** Expects that the request has done what it is for, once it was accepted. Absent: nothing shows it. */
  done?(what: string): Promise<void>
  /** Whether `unchanged` is called after each request, and `prepare` before the next one: it is cheap then. @default false */
  renewEachTime?: boolean
}

/** Examples of each check: one run sends a part of the cases, by its seed. */
export const derivedRuns = 2
/** Cases that one example sends, unless a check says otherwise. */
export const derivedSize = 5

export interface Derivation {
  operation: OperationId
  cases: readonly DerivedCase[]
  /** @param role of the table whose fields the case is about */
  prepare(role: string | undefined): Promise<ValidRequest>
  /** Expects more of a response. */
  also?(response: ApiResponse, what: string, valid: ValidRequest, derived: DerivedCase): Promise<void>
  /** Whether nothing may change, whatever the status. @default only where the request is rejected */
  mustNotChange?: boolean
  /** Cases that one example sends one after the other. @default `derivedSize` */
  size?: number
  /** Examples. With `--runs` there are more, until all cases are sent. */
  runs: number
  /** Milliseconds for all of them. An example is several requests, and what they need. @default 60000 */
  timeLimit?: number
}

/** The response to the case, once everything is expected of it that holds for any request. */
async function attempt(
  context: CheckContext,
  valid: ValidRequest,
  derived: DerivedCase,
): Promise<{ response: ApiResponse; what: string }> {
  const response = await sendDraft({ context, ...valid }, valid.draft, derived)
  const what = `${derived.operation} with ${derived.title}`
  expectWellFormed(context, response, what, valid.secrets)
  return { response, what }
}

/** Expects of a response what holds for every response of every server. */
export function expectWellFormed(
  { traffic }: CheckContext,
  response: ApiResponse,
  what: string,
  secrets: readonly string[],
): void {
  const shown = `${response.status} ${response.text}`
  const { method } = response.exchange.request
  const isBare = method === 'HEAD' || method === 'OPTIONS'
  if (!isBare && response.text !== '' && response.body === undefined)
    throw new ExpectationError(`${what} returned a body that is not JSON`, 'JSON', shown, {
      breaks: 'wire.json-bodies',
    })
  for (const { requirement, message, expected, received } of traffic.about(response.exchange))
    if (isOfForm(requirement))
      throw new ExpectationError(`${what} broke ${requirement}: ${message}`, expected, received, {
        breaks: requirement,
      })
  // A rejection may repeat what was sent: the form of errors is open (section 7), and some frameworks do so by default.
  if (!isRejected(response) && secrets.some((secret) => response.text.includes(secret)))
    throw new ExpectationError(`${what} returned a password`, 'no password', shown, {
      breaks: 'wire.no-secrets',
    })
}

/** What many servers return to OPTIONS at any path, whatever is there. */
function isPreflight({ text, exchange }: ApiResponse): boolean {
  return exchange.request.method === 'OPTIONS' && text === ''
}

/** Those that are likely to be accepted come last: what the others changed is seen before. */
const rejectedFirst = (a: DerivedCase, b: DerivedCase) => Number(a.keeps) - Number(b.keeps)

export async function derivedProperty(context: CheckContext, derivation: Derivation): Promise<void> {
  const {
    cases,
    prepare,
    also,
    mustNotChange = false,
    size = derivedSize,
    runs,
    timeLimit = 60_000,
  } = derivation
  const byTitle = new Map(cases.map((each) => [each.title, each]))
  const sampled = sampleGroups(cases, { seed: context.seed, size })
  const titles = [...byTitle.keys()]
  const chosen = fc.array(fc.constantFrom(...titles), { minLength: 1, maxLength: size })

  async function example(given: readonly DerivedCase[]): Promise<void> {
    let valid: ValidRequest | undefined
    /** Since the last look at what may not have changed. */
    let attempts: SentCase[] = []
    const settle = async () => {
      const [first, ...others] = attempts
      attempts = []
      if (first === undefined) return
      const { derived, what } = suspect([first, ...others])
      await valid?.unchanged?.(derived, what)
    }
    for (const derived of given) {
      // One that is accepted hides what those before it have changed.
      if (derived.keeps) await settle()
      valid ??= await prepare(derived.role)
      const { response, what } = await attempt(context, valid, derived)
      await also?.(response, what, valid, derived)
      const isAccepted = response.status < 400 && !isRejected(response) && !isPreflight(response)
      if (mustNotChange || isRejected(response))
        attempts.push({ derived, what, status: response.status, isAccepted })
      if (valid.renewEachTime === true) await settle()
      // A server that accepts it may change something, and use up the proof in the request.
      else if (mustNotChange || !isAccepted) continue
      valid = undefined
      attempts = []
    }
    await settle()
  }

  await context.property(
    [chosen],
    (given) =>
      example(
        given
          .map((title) => byTitle.get(title))
          .filter((each) => each !== undefined)
          .sort(rejectedFirst),
      ),
    {
      runs,
      examples: sampled.map((group) => [group.map(({ title }) => title)]),
      timeLimit,
    },
  )
}

/** The unchanged request must succeed before anything is said about what differs from it. */
export async function expectControl(context: CheckContext, valid: ValidRequest): Promise<void> {
  const response = await sendDraft({ context, ...valid }, valid.draft)
  if (!response.ok)
    throw new BlockedError(
      `the precondition does not hold: the valid request was rejected: ${responseSummary(response, 300)}`,
    )
}
