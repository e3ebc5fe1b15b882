/**
 * Whether a variation was met: it changed a request or a response of the run.
 *
 * To compare is dear, since bodies are copied for it: once is enough.
 *
 * @module
 */

import type { FaultTools, Middleware, Next } from '../../faults/fault.ts'

type Make = (tools: FaultTools) => Middleware

interface Message {
  head: string
  body: string
}

/** @param onMet called for the first exchange in which the variation differs from the server behind it */
export function watched(make: Make, onMet: () => void): Make {
  return (tools) => {
    const middleware = make(tools)
    let isMet = false
    return async (request, next) => {
      if (isMet) return middleware(request, next)
      const asked = await messageOf(request.clone())
      let passed = 0
      let same = true
      let answered: Message | undefined
      const watchedNext: Next = async (each) => {
        passed += 1
        same &&= equal(asked, await messageOf(each.clone()))
        const response = await next(each)
        answered = await messageOf(response.clone())
        return response
      }
      const response = await middleware(request, watchedNext)
      const unchanged =
        passed === 1 && same && answered !== undefined && equal(answered, await messageOf(response.clone()))
      if (!unchanged && !isMet) {
        isMet = true
        onMet()
      }
      return response
    }
  }
}

async function messageOf(message: Request | Response): Promise<Message> {
  const first = message instanceof Request ? `${message.method} ${message.url}` : String(message.status)
  const headers = [...message.headers].filter(([name]) => name !== 'content-length')
  // Read as Latin-1, different bytes are different strings. The combinators leave out the newline at the end.
  const body = Buffer.from(await message.arrayBuffer())
    .toString('latin1')
    .trimEnd()
  return { head: JSON.stringify([first, headers]), body }
}

function equal(a: Message, b: Message): boolean {
  return a.head === b.head && a.body === b.body
}
