/**
 * The console page of `conformance serve` at `/_/`: its files, and what they ask for.
 *
 * @module
 */

import type { Answering } from '../answer.ts'
import { refuse } from '../answer.ts'
import { answerOperation } from '../answer-operation.ts'
import { refusalOf } from '../gate.ts'
import type { Serving } from '../serving.ts'
import { pageHeaders, staticFile } from './static-files.ts'

const start = '/_/'
const api = '/_/api/'

/** Answers what begins with `/_/`, and nothing else. */
export function createConsole(serving: Serving): Answering {
  return async (request, ip) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/_') return new Response(null, { status: 302, headers: { Location: start } })
    if (!pathname.startsWith(start)) return undefined
    if (!pathname.startsWith(api)) return page(request, pathname.slice(start.length) || 'index.html')
    const refusal = refusalOf(request, ip, { sameOrigin: true })
    if (refusal !== undefined) return refuse(refusal, 403)
    return answerOperation('console', serving, request, pathname.slice(api.length))
  }
}

async function page(request: Request, name: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...pageHeaders, Allow: 'GET, HEAD' } })
  return (
    (await staticFile(name)) ??
    new Response('There is no such file.\n', { status: 404, headers: pageHeaders })
  )
}
