/**
 * Whether a target has an operation at all: requests are sent to it, and to paths that no server has. The responses to
 * those distinguish a missing endpoint from one that rejects the request.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { ExpectationError, RateLimitedError, UntestableError } from '../../harness/judging/expect.ts'
import { responseSummary } from '../../harness/judging/response-summary.ts'
import type { Api, ApiResponse } from '../../harness/vocabulary/api.ts'

export interface Attempt {
  /** Who sends it. Some servers reject everyone before they read the path: all paths are requested by the same client. */
  as: Api
  /** Undefined if it cannot be sent: the attempt shows nothing then. */
  send(as: Api): Promise<ApiResponse | undefined>
  /** Whether a server may hide the operation from this client. Called if it seems to be missing. @default no */
  mayBeHidden?(): boolean | Promise<boolean>
}

/**
 * @param nowhere returns, for a name, a path of the same form that no server has
 * @param attempts tried until one shows that the operation exists
 * @throws ExpectationError if every response is that of a path that does not exist
 * @throws UntestableError if the responses are the same whether or not a path exists
 */
export async function expectOperation(
  name: string,
  method: string,
  nowhere: (name: string) => string,
  attempts: readonly Attempt[],
): Promise<void> {
  let missing: ApiResponse | undefined
  let operation: string | undefined
  for (const { as, send, mayBeHidden = () => false } of attempts) {
    let response = await unlessLimited(send(as))
    if (response === 'limited') {
      // What limits the operation alone has the operation: a limit for all paths also limits this one, which ends the check.
      await probe(as, method, nowhere('no-such-endpoint'))
      response = await unlessLimited(send(as))
      if (response === 'limited') return
    }
    if (response === undefined) continue
    operation ??= response.exchange.operation
    const one = await probe(as, method, nowhere('no-such-endpoint'))
    // Another method may have something at the path.
    const notForMethod = response.status === 405 || response.status === 501
    if (response.status === one.status) {
      const other = await probe(as, method, nowhere('nor-is-this-one'))
      if (!alike(contentOf(response), contentOf(one), contentOf(other))) return
    } else if (!notForMethod) return
    if (notForMethod || (response.status === 404 && !(await mayBeHidden()))) missing ??= response
  }
  const declared = `set "operations": { "${operation ?? name}": false } in the target file`
  if (missing === undefined)
    throw new UntestableError(
      `${name} gets the same response as a path that does not exist: nothing shows whether it exists`,
      `set the credentials of a superuser, or, if the server has no such operation, ${declared}`,
    )
  throw new ExpectationError(
    `${name} does not exist: the response is the same as for a path that does not exist. If the server has no such operation, ${declared}`,
    'a response of the operation',
    responseSummary(missing),
    { exchanges: [missing.exchange] },
  )
}

async function unlessLimited<T>(response: Promise<T>): Promise<T | 'limited'> {
  try {
    return await response
  } catch (error) {
    if (error instanceof RateLimitedError) return 'limited'
    throw error
  }
}

function probe(as: Api, method: string, path: string): Promise<ApiResponse> {
  const body = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
  return as.raw({ method, path, ...body })
}

function contentOf({ body, text }: ApiResponse): unknown {
  return body === undefined ? text : body
}

/** Whether a response is one of those to paths that do not exist. Parts that differ between those two are ignored. */
function alike(seen: unknown, one: unknown, other: unknown): boolean {
  if (isObject(seen) && isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(seen), ...Object.keys(one)])
    return [...keys].every((key) => alike(seen[key], one[key], other[key]))
  }
  const [text, first, second] = [seen, one, other].map((each) => JSON.stringify(each))
  return first !== second || text === first
}
