/** Emails that a request causes, and further ones that a server need not send. */

import { expectSuccess, RateLimitedError } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ProofKind, ReceivedEmail } from '../../../harness/vocabulary/target.ts'

/** An email, and the response to the request that it is for. */
export interface Mailed {
  response: ApiResponse
  received: ReceivedEmail
}

/**
 * Runs an action that sends an email, expects success, and returns the email.
 *
 * @param owner address of the account, if the email goes to another one
 */
export async function mailTo(
  { mail }: CheckContext,
  to: string,
  cause: () => Promise<ApiResponse>,
  owner = to,
): Promise<Mailed> {
  const after = await mail.count()
  const response = await cause()
  expectSuccess(response, 'the request for an email')
  return { response, received: await mail.waitFor({ to, after, owner }) }
}

/** The same for two addresses, each with its request. Both are sent at the same time. */
export async function mailsTogether(
  { mail }: CheckContext,
  ...requests: readonly [Mailing, Mailing]
): Promise<[Mailed, Mailed]> {
  const after = await mail.count()
  const [one, other] = requests
  const responses = await Promise.all([one.send(), other.send()])
  for (const response of responses)
    expectSuccess(response, 'one of two requests for an email that were sent together')
  return [
    { response: responses[0], received: await mail.waitFor({ to: one.to, after }) },
    { response: responses[1], received: await mail.waitFor({ to: other.to, after }) },
  ]
}

interface Mailing {
  to: string
  send: () => Promise<ApiResponse>
}

/** The email of a second request that is like the one of the first, and its response. Undefined if there is none. */
export async function secondMail(
  { mail }: Pick<CheckContext, 'mail'>,
  kind: ProofKind,
  to: string,
  request: () => Promise<ApiResponse>,
): Promise<Mailed | undefined> {
  const after = await mail.count()
  const response = await unlessTooMany(request())
  if (response?.ok !== true) return undefined
  const received = await mail.another({ to, after, kind })
  return received && { response, received }
}

/** A request that changes nothing for the check if the target's rates reject it: how many emails there are is left open. */
export async function unlessTooMany<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof RateLimitedError) return undefined
    throw error
  }
}
