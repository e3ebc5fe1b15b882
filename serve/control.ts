/**
 * The control endpoints: state, time, tokens, keys and faults in the hands of tests in any language. Off unless asked
 * for, and for programs and pages of this machine only.
 *
 * @module
 */

import type { KeyAction } from '../reference/vocabulary.ts'
import { didYouMean, quoted } from '../spec/nearest.ts'
import {
  AskedWrongly,
  answer,
  answering,
  type JsonObject,
  readObject,
  refuse,
  textOf,
  textsOf,
} from './answer.ts'
import type { Answering } from './answering.ts'
import { refusalOf } from './gate.ts'
import { listMail } from './list-mail.ts'
import { mintToken } from './mint-token.ts'
import { planFault } from './plan-fault.ts'
import { servedState } from './served-state.ts'
import type { Serving } from './serving.ts'
import { keepSnapshots } from './snapshots.ts'

type Operation = (body: JsonObject, query: URLSearchParams) => unknown

const controlPath = '/_conformance'

/** Answers what begins with `/_conformance/`. */
export function createControl(serving: Serving): Answering {
  const snapshots = keepSnapshots(serving)
  // The console goes on showing what was before; whoever resets asks about what comes after.
  let mark = 0
  let missedBefore = 0
  const forget = async () => {
    await serving.settled()
    mark = serving.exchanges.list().at(-1)?.id ?? mark
    missedBefore = serving.exchanges.notRecorded
  }
  const operations: Record<string, Operation> = {
    'POST reset': async () => {
      await forget()
      serving.reset()
      return undefined
    },
    'POST snapshot': () => snapshots.take(),
    'POST restore': async (body) => {
      const restored = snapshots.restore(body.id)
      await forget()
      return restored
    },
    'POST clock': (body) => serving.clock.command(body),
    'POST token': (body) => mintToken(serving.reference, body),
    'POST api-keys': (body) => changeKeys(serving, body),
    'POST fault': (body) => planFault(serving.reference, body),
    'GET clock': () => serving.clock.facts(),
    'GET mail': (_body, query) => listMail(serving.reference, query),
    'GET state': () => servedState(serving),
    'GET requests': async () => {
      await serving.settled()
      const { exchanges } = serving
      return {
        requests: exchanges.list().filter(({ id }) => id > mark),
        // The console's button clears the count as well.
        notRecorded: Math.max(0, exchanges.notRecorded - missedBefore),
      }
    },
  }
  const names = Object.keys(operations)

  return async (request, ip) => {
    const url = new URL(request.url)
    if (!url.pathname.startsWith(`${controlPath}/`)) return undefined
    const refusal = refusalOf(request, ip, { sameOrigin: false })
    if (refusal !== undefined) return refuse(refusal, 403)
    if (request.method === 'OPTIONS') return permit(request, preflight(request))
    const asked = `${request.method} ${url.pathname.slice(controlPath.length + 1)}`
    const operation = operations[asked]
    const response = await answering(async () => {
      if (operation === undefined)
        throw new AskedWrongly(
          `Unknown control request ${quoted(asked)}.${didYouMean(asked, names)} Use one of ${names.join(', ')}.`,
          404,
        )
      const body = request.method === 'POST' ? await readObject(request) : {}
      return answer(await operation(body, url.searchParams))
    })
    return permit(request, response)
  }
}

/** A new key for a scope, or the end of one: `{ revoke: id }`. */
async function changeKeys({ reference: { apiKeys } }: Serving, body: JsonObject): Promise<unknown> {
  if (body.revoke !== undefined) {
    if (await apiKeys.revoke(textOf(body, 'revoke'))) return undefined
    throw new AskedWrongly('There is no API key with this id.', 404)
  }
  const [tables, actions] = [textsOf(body, 'tables'), textsOf(body, 'actions') as KeyAction[]]
  return apiKeys.create({
    tables,
    actions,
    ...(body.name === undefined ? {} : { name: textOf(body, 'name') }),
  })
}

/** The page has been let through: its origin may read the answer. */
function permit(request: Request, response: Response): Response {
  const origin = request.headers.get('origin')
  if (origin === null) return response
  response.headers.set('Access-Control-Allow-Origin', origin)
  response.headers.set('Vary', 'Origin')
  return response
}

function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers')
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, POST',
      ...(asked && { 'Access-Control-Allow-Headers': asked }),
    },
  })
}
