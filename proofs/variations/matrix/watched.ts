/**
 * Whether a variation was met: what it made of the run shows in a response or in an email that the suite received.
 *
 * A response counts if it differs from that of the server behind the variation, or from what a copy of that server
 * returns for the request as the suite sent it. A request that was only rewritten does not count: the server may not
 * mind. To compare is expensive, so it ends with the first difference.
 *
 * @module
 */

import { matchOperation } from '../../../exchange/operation.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import type { FaultTools, Middleware, Next } from '../../faults/fault.ts'
import { fromCopy } from '../../faults/generated/from-copy.ts'

type Make = (tools: FaultTools) => Middleware

/** @param onMet called once, with the first response or email in which the variation differs from the server behind it */
export function watched(make: Make, onMet: () => void): Make {
  return (tools) => {
    let isMet = false
    const meet = () => {
      if (!isMet) onMet()
      isMet = true
    }
    const middleware = withWatchedEmails(make, tools, meet)
    let [started, running] = [0, 0]
    return async (request, next) => {
      if (isMet) return middleware(request, next)
      const isFirst = running === 0
      const place = ++started
      running += 1
      const behind: string[] = []
      const watchedNext: Next = async (each) => {
        const response = await next(each)
        behind.push(await contents(response))
        return response
      }
      const copied = await copiedResponse(tools, request)
      const response = await middleware(request, watchedNext).finally(() => {
        running -= 1
      })
      const shown = await contents(response)
      const isChanged = behind.length === 1 && behind[0] !== shown
      // Two concurrent requests draw their ids from one sequence, and see each other's records.
      const isAlone = isFirst && started === place
      const isComparable = copied !== undefined && (isAlone || behind.length === 0)
      if (isChanged || (isComparable && masked(copied) !== masked(shown))) meet()
      return response
    }
  }
}

/** An email that the server behind did not send as it is was changed on the way. */
function withWatchedEmails(make: Make, tools: FaultTools, meet: () => void): Middleware {
  const { mail } = servicesOf(tools.reference)
  const deliver = mail.send
  const given = new Set<string>()
  mail.send = async (email) => {
    if (!given.has(JSON.stringify(email))) meet()
    await deliver(email)
  }
  const middleware = make(tools)
  const send = mail.send
  mail.send = async (email) => {
    given.add(JSON.stringify(email))
    await send(email)
  }
  return middleware
}

/** What the server would return without the variation; undefined for a request whose repetition has an effect elsewhere. */
async function copiedResponse({ reference, prefix }: FaultTools, request: Request) {
  const { method, url } = request
  const operation = matchOperation(method, new URL(url).pathname, prefix)?.operation.id
  // A copy would redeem the provider's code.
  return operation === 'authWithOAuth2' ? undefined : contents(await fromCopy(reference, request.clone()))
}

async function contents(response: Response): Promise<string> {
  const headers = [...response.headers].filter(([name]) => name !== 'content-length')
  // Read as Latin-1, different bytes are different strings. The combinators leave out the newline at the end.
  const body = Buffer.from(await response.clone().arrayBuffer()).toString('latin1')
  return `${response.status} ${JSON.stringify(headers)}\n${body.trimEnd()}`
}

/** Without moments, and without the signed tokens that contain them. */
function masked(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/g, 'moment')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'token')
}
