/**
 * A successful batch: one result for each sub-request, in their order, each of the kind that its sub-request requires.
 *
 * @module
 */

import { meantMethod } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'
import { queryOf } from '../../exchange/query-of.ts'
import { findOperation, splitUrl } from '../find-operation.ts'
import { type BodyObject, isShortened, type Judging, parameter } from './judging.ts'
import { judgeRecord } from './records.ts'
import { type ReadSubRequest, readSubRequests } from './sub-requests.ts'

export function judgeBatchResults(judging: Judging, results: readonly unknown[]): void {
  const { reading, add, claim } = judging
  const requests = readSubRequests(reading.request.body)
  for (const [at, result] of results.entries())
    if (isObject(result) && isObject(result.body))
      judgeRecord(withOwnFields(judging, requests?.[at]), result.body, '', `/${at}/body`)
  if (requests === undefined) return
  claim('batch.entry')
  if (requests.length !== results.length) {
    add(
      'batch.entry',
      '',
      `${requests.length} results, one for each sub-request`,
      `${results.length} results`,
    )
    return
  }
  for (const [at, request] of requests.entries()) judgeResult(judging, request, results[at], at)
  judgeOrder(judging, requests, results)
}

/** The `fields` of the batch and of a sub-request both apply to its result. */
function withOwnFields(judging: Judging, request: ReadSubRequest | undefined): Judging {
  const own = request && queryOf(splitUrl(request.url)[1]).get(judging.names.fields ?? 'fields')
  if (own === undefined) return judging
  const both = [judging.query.get('fields') ?? '', own].join()
  return { ...judging, query: new Map(judging.query).set('fields', both) }
}

function judgeResult(judging: Judging, request: ReadSubRequest, result: unknown, at: number): void {
  const { add, prefix } = judging
  if (!isObject(result)) return
  const { status, body } = result
  const removes = request.method === 'DELETE'
  if (status !== undefined && status !== (removes ? 204 : 200)) {
    add(
      'batch.entry',
      `/${at}/status`,
      removes ? '204 for a delete' : `200 for a ${request.method}`,
      String(status),
    )
    return
  }
  if (!isObject(body)) return
  // The official client writes sub-requests with the prefix of its own server, which may differ from the prefix of the
  // batch path.
  const path = splitUrl(request.url)[0]
  const method = meantMethod(request.method)
  const found = findOperation(method, path, prefix) ?? findOperation(method, path, '/api')
  if (found === undefined) return
  const { collectionName, collectionId, id } = body
  const { query } = withOwnFields(judging, request)
  const sameTable =
    isShortened(query, 'collectionName') ||
    isShortened(query, 'collectionId') ||
    typeof collectionName !== 'string' ||
    typeof collectionId !== 'string' ||
    collectionId === found.table ||
    collectionName.toLowerCase() === found.table.toLowerCase()
  if (!sameTable) {
    add(
      'batch.entry',
      `/${at}/body/collectionName`,
      `a record of ${found.table}, as sub-request ${at} asks`,
      collectionName,
    )
    return
  }
  const wanted = found.id || request.body.id
  if (isShortened(query, 'id')) return
  if (typeof wanted === 'string' && wanted !== '' && typeof id === 'string' && id !== wanted)
    add('batch.entry', `/${at}/body/id`, `the record ${wanted} of sub-request ${at}`, id)
}

/**
 * Two creates in one table differ only in their values: finds the strings of one sub-request in the result of another.
 */
function judgeOrder(
  judging: Judging,
  requests: readonly ReadSubRequest[],
  results: readonly unknown[],
): void {
  const bodies = results.map((result) =>
    isObject(result) && isObject(result.body) ? result.body : undefined,
  )
  for (const [at, request] of requests.slice(0, 200).entries()) {
    const own = bodies[at]
    // A shortened string may match another sub-request.
    if (parameter(withOwnFields(judging, request).query, 'fields')?.includes(':') === true) return
    if (own === undefined || agreement(request.body, own) !== false) continue
    const other = bodies.findIndex((body) => body !== undefined && agreement(request.body, body))
    if (other < 0) continue
    judging.add(
      'batch.entry',
      `/${at}/body`,
      `the result of sub-request ${at}`,
      `the values of its record are at ${other}`,
    )
    return
  }
}

/** Whether the result contains all strings that were sent; undefined if no comparable string was sent. */
function agreement(sent: BodyObject, got: BodyObject): boolean | undefined {
  const pairs = Object.entries(sent).filter(
    ([name, value]) => typeof value === 'string' && value !== '' && typeof got[name] === 'string',
  )
  if (pairs.length === 0) return undefined
  return pairs.every(([name, value]) => got[name] === value)
}
