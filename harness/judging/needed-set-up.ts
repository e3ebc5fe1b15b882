/**
 * What of a check's set-up a counterexample depends on.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { percentDecoded } from '../../exchange/percent-decoded.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

const reads: ReadonlySet<OperationId | undefined> = new Set(['listRecords', 'viewRecord'])

/** Only these say by ids what they have to do with each other. Whatever else is sent may matter to all that follows. */
const writes: ReadonlySet<OperationId | undefined> = new Set(['createRecord', 'updateRecord', 'deleteRecord'])

/** Shorter values occur everywhere without meaning. */
const shortest = 6

/**
 * Leaves out what the counterexample does not depend on: reads, and writes whose ids and values occur in no later request
 * or response. A check creates records for all its examples, and the smallest one needs few of them. If a list of a whole
 * table decides, it depends on every write to the table.
 *
 * @param outside exchanges of the check outside its properties, oldest first
 * @param inside exchanges of the counterexample
 */
export function neededSetUp(outside: readonly Exchange[], inside: readonly Exchange[]): Exchange[] {
  const last = inside.at(-1)
  const whole = last !== undefined && isWholeList(last, [...outside, ...inside]) ? pathOf(last) : undefined
  let later = inside.map(textOf).join('\n')
  const needed: Exchange[] = []
  for (const exchange of outside.toReversed()) {
    const isNeeded = pathOf(exchange) === whole || namesOf(exchange).some((name) => later.includes(name))
    if (isSuccess(exchange) && (isRead(exchange) || (isWrite(exchange) && !isNeeded))) continue
    needed.unshift(exchange)
    later += `\n${textOf(exchange)}`
  }
  return needed
}

/** Whether it lists records without naming a value of one. */
function isWholeList(exchange: Exchange, all: readonly Exchange[]): boolean {
  const address = addressOf(exchange)
  return (
    exchange.operation === 'listRecords' && !all.flatMap(valuesOf).some((value) => address.includes(value))
  )
}

function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status < 300
}

function isRead({ operation }: Exchange): boolean {
  return reads.has(operation)
}

function isWrite({ operation }: Exchange): boolean {
  return writes.has(operation)
}

function textOf({ request, response }: Exchange): string {
  return [addressOf({ request }), request.body, response?.body].join('\n')
}

function addressOf({ request }: Pick<Exchange, 'request'>): string {
  return decoded(request.url)
}

/** The path of the table's records, without the id of one. */
function pathOf({ request }: Exchange): string {
  return request.url.replace(/\?.*$/s, '').replace(/(\/records)\/[^/]+$/, '$1')
}

function decoded(text: string): string {
  return percentDecoded(text) ?? text
}

/** Ids of the records, and the values that were sent. */
function namesOf(exchange: Exchange): string[] {
  const { request, response } = exchange
  const ids = [...(response?.body ?? '').matchAll(/"id"\s*:\s*"([^"]*)"/g)].map(([, id = '']) => id)
  const [, ofPath] = /\/records\/([^/?]+)/.exec(request.url) ?? []
  return [...ids, ...(ofPath === undefined ? [] : [decoded(ofPath)]), ...valuesOf(exchange)]
}

function valuesOf({ request }: Exchange): string[] {
  return [...request.body.matchAll(/"([^"\\]*)"\s*[,}\]]/g)]
    .map(([, value = '']) => value)
    .filter((value) => value.length >= shortest)
}
