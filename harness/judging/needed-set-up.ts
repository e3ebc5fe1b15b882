/**
 * Finds the set-up of a check that a counterexample depends on.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { isHolder } from '../../exchange/json-object.ts'
import { percentDecoded } from '../../exchange/percent-decoded.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

const reads: ReadonlySet<OperationId | undefined> = new Set(['listRecords', 'viewRecord'])

/**
 * Only these show by their ids how they relate. Any other request may affect everything after it, so it is kept.
 */
const writes: ReadonlySet<OperationId | undefined> = new Set(['createRecord', 'updateRecord', 'deleteRecord'])

/** Shorter values occur by coincidence. */
const shortest = 6

/**
 * Leaves out what the counterexample does not depend on: reads, and writes whose ids and values occur in nothing else that
 * is shown. A check creates records for all its examples, and the smallest one needs few of them. If a list of a whole
 * table decides, it depends on every write to the table.
 *
 * @param outside exchanges of the check outside its properties, oldest first
 * @param inside exchanges of the counterexample
 */
export function neededSetUp(outside: readonly Exchange[], inside: readonly Exchange[]): Exchange[] {
  const last = inside.at(-1)
  const whole = last !== undefined && isWholeList(last, [...outside, ...inside]) ? pathOf(last) : undefined
  const optional = outside.filter((each) => isSuccess(each) && isWrite(each) && pathOf(each) !== whole)
  const needed = new Set(
    outside.filter((each) => !(isSuccess(each) && isRead(each)) && !optional.includes(each)),
  )
  let shown = [...needed, ...inside].map(textOf).join('\n')
  // Needed requests may mention further records: a create names its parent, a delete names a created record.
  for (let waiting = optional; ; ) {
    const found = waiting.filter((each) => namesOf(each).some((name) => shown.includes(name)))
    if (found.length === 0) return outside.filter((each) => needed.has(each))
    for (const each of found) needed.add(each)
    shown = [shown, ...found.map(textOf)].join('\n')
    waiting = waiting.filter((each) => !needed.has(each))
  }
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

/** The strings of a body, except the addresses of the entries of a batch. */
function valuesOf({ request }: Exchange): string[] {
  const found: string[] = []
  const collect = (value: unknown) => {
    if (typeof value === 'string' && value.length >= shortest) found.push(value)
    if (isHolder(value))
      for (const [key, inner] of Object.entries(value)) if (key !== 'url' && key !== 'method') collect(inner)
  }
  try {
    collect(JSON.parse(request.body))
  } catch {
    // A form, or a body that the report cut: the strings in quotation marks.
    found.push(...[...request.body.matchAll(/"([^"\\]{6,})"/g)].map(([, value = '']) => value))
  }
  return found
}
