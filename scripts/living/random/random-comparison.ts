/**
 * The reference against the living server family: random requests, the same responses. What the standard profile
 * does otherwise on purpose is left out where the requests are made, with the reason next to it.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { LivingServer } from '../living-server.ts'
import { batches, pool, touched } from './batches.ts'
import { queries } from './filters.ts'
import { type PairRequest, startPair } from './pair.ts'
import { accounts, signIns } from './sign-ins.ts'
import { relatedIds } from './values.ts'
import { rawBodies, writes } from './writes.ts'

export interface RandomOptions {
  seed: number
  /** How many cases. */
  cases: number
  /** Called after each case with how many were compared. */
  onCase?: (done: number) => void
  /** Ends the part after the case that is under way. */
  signal?: AbortSignal
}

export interface RandomResult {
  /** Cases that were compared; the shrinking of a difference is not counted. */
  cases: number
  /** Requests that both servers responded to in the same way, by method. */
  requests: Readonly<Record<string, number>>
  /** The smallest case with different responses that was found: the request, both responses, and how to repeat it. */
  difference?: string
}

/** One kind of random requests. */
export interface RandomPart {
  /** What is compared, as in "the same responses to …". */
  name: string
  /** Cases for each list that is compared: what a case sends differs. */
  share: number
  compare(options: RandomOptions): Promise<RandomResult>
}

export interface RandomComparison {
  parts: readonly RandomPart[]
  close(): Promise<void>
}

const everything = '/collections/conf_everything/records'
const [one, two, three, four] = relatedIds
const rows = [
  {
    text: 'hello',
    number: 1,
    bool: true,
    select: 'a',
    selects: ['a', 'b'],
    json: { a: 1, b: 'q' },
    relation: one,
    relations: [one, two],
    geo: { lon: 1, lat: 2 },
    date: '2024-02-29 10:11:12',
    editor: '<p>hello <b>world</b></p>',
    email: 'a@example.com',
    url: 'http://example.com',
  },
  {},
  {
    text: 'h_llo',
    number: 10,
    selects: ['c'],
    json: ['a', 1, null],
    relation: two,
    relations: [three],
    date: '2025-06-30',
  },
  {
    text: 'Hello',
    number: -1.5,
    json: 'text',
    relations: relatedIds,
    selects: ['a', 'b', 'c', 'd', 'e'],
    editor: 'é',
  },
  { text: '50%', number: 5, json: 1, relation: four, relations: [four], geo: { lon: -180, lat: 90 } },
  { text: "O'Brien", number: 2, bool: true, json: true, email: 'A@Example.com' },
  { text: 'say "hi"', number: 0.1, json: { a: { b: [1, 2] } }, select: 'c' },
  { text: 'back\\', number: 100000, json: [], date: '9999-12-31 23:59:59.999Z' },
  { text: 'É', number: 1e21, json: {}, date: '2024-02-29 00:00:00' },
  { text: '10', number: 11, json: '', relation: three, relations: [two, one], selects: ['b'] },
  { text: 'two\nlines', json: null, number: -1, select: 'b' },
  { text: '1.5', json: { a: 'x', b: null }, number: 1.5, geo: { lon: 0.5, lat: -0.5 } },
  { text: 'abc', json: [{ a: 1 }], relations: [one] },
  { text: '[]', json: '"q"', relation: one },
]

function differenceOf({
  errorInstance,
  counterexamplePath,
}: Pick<fc.RunDetails<[]>, 'errorInstance' | 'counterexamplePath'>): string {
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${what}\nfast-check path: ${counterexamplePath}`
}

type Caller = Pick<PairRequest, 'as'>
/** As a guest and as a superuser by turns. */
const caller = fc.constantFrom<Caller>({}, { as: 'superuser' })

/**
 * Starts a reference in addition to the living server, with the same records in both.
 *
 * @throws Error that shows both responses when one of these records is not kept in the same way
 */
export async function startRandomComparison(server: LivingServer): Promise<RandomComparison> {
  const pair = await startPair(server)
  let made = 0
  let requests: Record<string, number> = {}
  const newId = () => `e${String(++made).padStart(14, '0')}`

  async function same(request: PairRequest): Promise<void> {
    await pair.same(request)
    requests[request.method] = (requests[request.method] ?? 0) + 1
  }
  const remove = (path: string) => pair.both({ method: 'DELETE', path, as: 'superuser' })
  const create = (table: string, body: unknown, as?: PairRequest['as']) =>
    same({ method: 'POST', path: `/collections/${table}/records`, body, ...(as && { as }) })

  for (const [at, id] of relatedIds.entries()) {
    const [name, rank] = [['name1', 'Name2', '', 'é'][at], [1, 2, 0, 10][at]]
    await create('conf_related', { id, name, rank, parent: relatedIds[at - 1] ?? '' })
  }
  for (const row of rows) await create('conf_everything', { id: newId(), ...row })
  for (const account of accounts) await create('conf_members', account, 'superuser')

  function part<T>(
    name: string,
    share: number,
    random: Arbitrary<T>,
    compare: (value: T, as: Caller) => Promise<void>,
  ): RandomPart {
    return {
      name,
      share,
      async compare({ seed, cases, onCase, signal }) {
        requests = {}
        let done = 0
        const property = fc.asyncProperty(random, caller, async (value, as) => {
          if (signal?.aborted) return
          await compare(value, as)
          done += 1
          onCase?.(done)
        })
        const details = await fc.check(property, { seed, numRuns: cases })
        return {
          cases: done,
          requests,
          ...(details.failed && { difference: differenceOf(details) }),
        }
      },
    }
  }

  return {
    close: () => pair.close(),
    parts: [
      part(
        'lists with any filter, order, expansion and choice of fields',
        1,
        queries,
        async ({ text, slipped }, as) => {
          const headers = { 'x-conf': 'Open' }
          const list = { method: 'GET', path: `${everything}?${text}`, headers, ...as }
          if (slipped && (await pair.both(list)).reference.status === 400) return
          await same(list)
        },
      ),
      part(
        'creates and updates with any values',
        0.3,
        writes,
        async ({ table, create: body, update }, as) => {
          const id = newId()
          const path = `/collections/${table}/records`
          try {
            await same({ method: 'POST', path, body: { ...body, id }, ...as })
            await same({ method: 'PATCH', path: `${path}/${id}`, body: update, ...as })
            await same({ method: 'GET', path: `${path}/${id}`, ...as })
          } finally {
            await remove(`${path}/${id}`)
          }
        },
      ),
      part('bodies of any media type', 0.2, rawBodies, async ({ type, text }, as) => {
        const id = newId()
        await create('conf_everything', { id })
        const path = `${everything}/${id}`
        await same({ method: 'PATCH', path, headers: { 'content-type': type }, body: text, ...as })
        await same({ method: 'GET', path, ...as })
        await remove(path)
      }),
      part('batches, which leave the same records behind', 0.15, batches, async (entries, as) => {
        try {
          await create('conf_plain', { id: pool[0] })
          await create('conf_loose', { id: pool[0], one: pool[0], many: [pool[0]] })
          await same({ method: 'POST', path: '/batch', body: { requests: entries }, ...as })
          for (const table of touched)
            await same({
              method: 'GET',
              path: `/collections/${table}/records?sort=id&perPage=500`,
              as: 'superuser',
            })
        } finally {
          for (const table of [...touched, 'conf_locked'])
            for (const id of [...pool, 'nothere00000000']) await remove(`/collections/${table}/records/${id}`)
        }
      }),
      part('sign-ins that fail', 0.5, signIns, (request) => same(request)),
    ],
  }
}
