/**
 * Two requests at once, mixed up: each gets the other's response, the second is lost, a write overwrites another.
 *
 * @module
 */

import { setImmediate as turn } from 'node:timers/promises'
import type { OperationId } from '../../../../spec/vocabulary.ts'
import { isJsonObject, type JsonValue, json, ownFieldsOf } from '../../combinators/combinators.ts'
import type { Middleware } from '../../fault.ts'
import type { Breach, BreachTools } from '../breach.ts'
import { fromCopy, pathOf, withJson } from '../from-copy.ts'
import type { RecordedTraffic } from '../recording.ts'

/** A request that others of the same operation may meet. */
interface UnderWay {
  request: Request
  response: Promise<Response>
}

/** What happens to a request that arrives while another is in progress. Undefined for the usual response. */
type Mixed = (request: Request, first: UnderWay, tools: BreachTools) => Promise<Response | undefined>

const mixtures: Readonly<Record<string, Mixed>> = {
  'the second gets the response of the first': async (_request, first) => (await first.response).clone(),
  'the second is done and gets the response of the first': async (request, first, { reference }) => {
    await reference.fetch(request)
    return (await first.response).clone()
  },
  'the second is reported as done, but not done': (request, _first, { reference }) =>
    fromCopy(reference, request),
  'the second fails': async () => json(500, { data: {}, message: 'Busy.', status: 500 }),
  'the first is done again after the second': async (request, first, { reference }) => {
    const response = await reference.fetch(request)
    await first.response
    await reference.fetch(first.request.clone())
    return response
  },
}

export function atOnceBreaches({ byOperation }: RecordedTraffic): Breach[] {
  const operations = [...byOperation.keys()].filter((id): id is OperationId => id !== '').sort()
  return [
    ...operations.flatMap((operation) =>
      Object.entries(mixtures)
        .filter(([mutation]) => !/^(list|view)/.test(operation) || !/done/.test(mutation))
        .map(([mutation, mixed]) => breach(operation, mutation, mixing(operation, mixed))),
    ),
    breach('updateRecord', 'an update writes back all that it has read', lostUpdate),
  ]
}

function breach(operation: OperationId, mutation: string, make: Breach['make']): Breach {
  return {
    name: `${operation} · two at once · ${mutation}`,
    kind: 'at once',
    operation,
    watch: () => (seen) => seen.together,
    make,
  }
}

function mixing(operation: OperationId, mixed: Mixed): Breach['make'] {
  return (tools): Middleware => {
    let first: UnderWay | undefined
    return async (request, next) => {
      const seen = await tools.read(request)
      if (seen.operation !== operation) return next(request)
      if (first !== undefined) {
        const response = await mixed(request.clone(), first, tools)
        if (response === undefined) return next(request)
        tools.met()
        return response
      }
      const copy = request.clone()
      const response = turn().then(() => next(request))
      const mine = { request: copy, response }
      first = mine
      // The response is read by two.
      const own = (await response).clone()
      if (first === mine) first = undefined
      return own
    }
  }
}

/** Reads the record, and writes all of its fields a moment later. */
const lostUpdate: Breach['make'] = (tools) => {
  let underWay = 0
  return async (request, next) => {
    const { operation, table = '', id = '', sent } = await tools.read(request)
    if (operation !== 'updateRecord' || !isJsonObject(sent)) return next(request)
    underWay += 1
    const path = pathOf(tools, table, id)
    const before = await tools.asSuperuser(new Request(new URL(path, request.url)))
    await turn()
    await turn()
    if (underWay > 1) tools.met()
    const fields = before.ok ? ownFieldsOf((await before.json()) as JsonValue) : {}
    const response = await next(request)
    underWay -= 1
    if (response.ok) await tools.asSuperuser(withJson(request, path, { ...fields, ...sent }))
    return response
  }
}
