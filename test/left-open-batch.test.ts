/**
 * Servers that do batches in their own way where the document leaves it open: its requirements hold for them, or cannot
 * be judged, or warn where they are a SHOULD.
 */

import { createHash } from 'node:crypto'
import { describe, it } from 'vitest'
import { entriesOf, refusesEntry } from '../faults/combinators/batch.ts'
import {
  all,
  another,
  forgive,
  isObject,
  type Json,
  json,
  on,
  rewriteBody,
} from '../faults/combinators/combinators.ts'
import { first, forgets, refusal, refuses } from '../faults/combinators/field.ts'
import type { Fault } from '../faults/fault.ts'
import type { Status } from '../harness/vocabulary/findings.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { expectFindings, leftOpenServer } from './support/left-open.ts'

const requirements = loadRequirements()
const ids = [...requirements.values()]
  .filter(({ id, basis }) => id.startsWith('batch.') && basis !== 'profile')
  .map(({ id }) => id)
const ask = leftOpenServer()

const givesId = ({ method, body }: Json) => method === 'POST' && isObject(body) && 'id' in body

/** Its ids are UUIDs, and only a UUID may be given: each stands for one of the reference's own ids. */
const withUuids: Fault['make'] = () => {
  const longs = new Map<string, string>()
  const shorts = new Map<string, string>()
  const pair = (long: string, short: string) => {
    longs.set(short, long)
    shorts.set(long, short)
    return { long, short }
  }
  const numbered = () => `0b7c1a5e-93d2-4f60-8a4b-${String(longs.size).padStart(12, '0')}`
  const longOf = (short: string) => longs.get(short) ?? pair(numbered(), short).long
  const shortOf = (long: string) =>
    shorts.get(long) ?? pair(long, createHash('sha256').update(long).digest('hex').slice(0, 15)).short
  const outside = (text: string) => text.replace(/(?<=")[a-z0-9]{15}(?=")/g, longOf)
  const inside = (text: string) =>
    text.replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, shortOf)
  return async (request, next) => {
    const text = await request.text()
    if (/"id":"(?![0-9a-f]{8}-)/.test(text)) return refusal(400)
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const body = text === '' ? null : inside(text)
    const response = await next(new Request(inside(request.url), { method: request.method, headers, body }))
    const answer = await response.text()
    return new Response(answer === '' ? null : outside(answer), {
      status: response.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** A delete of what is not there is one more success, in a batch too. */
const idempotentDeletes = all(
  forgive('deleteRecord', 404, 204),
  on('batch', async (request, next, _match, { asSuperuser }) => {
    const entries = entriesOf(await request.clone().text())
    const absent = new Set<number>()
    for (const [index, { method, url }] of entries.entries()) {
      if (method !== 'DELETE') continue
      const view = await asSuperuser(new Request(new URL(String(url), request.url)))
      if (!view.ok) absent.add(index)
    }
    const present = entries.filter((_, index) => !absent.has(index))
    if (present.length === 0) return json(200, entries.map(gone))
    const path = new URL(request.url).pathname
    const response = await next(another(request, 'POST', path, { requests: present }))
    if (!response.ok) return response
    const answers = (await response.json()) as Json[]
    return json(
      200,
      entries.map((_, index) => (absent.has(index) ? gone() : answers.shift())),
    )
  }),
)
const gone = () => ({ status: 204, body: null })

/** In what such a server differs, and the findings that are no pass. */
const different: [string, Fault['make'], Record<string, Status>][] = [
  [
    'takes at most five sub-requests',
    first('batch', (_request, text) => (entriesOf(text).length > 5 ? refusal(413) : undefined)),
    {},
  ],
  ['gives UUIDs and takes nothing else', withUuids, {}],
  [
    'refuses any id that a client gives',
    all(
      refuses('createRecord', (body) => 'id' in body),
      refusesEntry(givesId),
    ),
    { 'batch.parent-with-children': 'untestable' },
  ],
  [
    'ignores any id that a client gives',
    all(
      forgets('createRecord', (key) => key === 'id'),
      rewriteBody('batch', (body) => ({
        requests: (body.requests as Json[]).map((entry) =>
          givesId(entry) ? { ...entry, body: { ...(entry.body as Json), id: undefined } } : entry,
        ),
      })),
    ),
    { 'batch.parent-with-children': 'untestable' },
  ],
  ['deletes what is not there with success', idempotentDeletes, {}],
  [
    'answers 200 to every batch, and tells inside what failed',
    forgive('batch', 400, 200, [{ status: 424, body: null }]),
    { 'batch.failure-refused': 'warn' },
  ],
]

describe('a server that', () => {
  it.each(different)(
    '%s',
    async (name, make, otherwise) => {
      // Half the examples: six servers are asked.
      const { findings } = await ask(name, make, ids, { runs: 0.5 })
      expectFindings(findings, ids, otherwise)
    },
    120_000,
  )
})
