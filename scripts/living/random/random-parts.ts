/**
 * The reference against the living server family: random requests, the same responses. What the standard profile
 * does otherwise on purpose is left out where the requests are made, with the reason next to it.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { batches, pool, touched } from './batches.ts'
import { queries } from './filters.ts'
import type { PairRequest } from './pair.ts'
import { createRequest, type RandomWorld } from './random-world.ts'
import { signIns } from './sign-ins.ts'
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
  /** Cases with the same responses, with those that were sent to shrink a difference. */
  cases: number
  /** Requests that both servers responded to in the same way, by method. */
  requests: Readonly<Record<string, number>>
  /** The smallest case with different responses that was found: the request, both responses, and its path in fast-check. */
  difference?: string
}

/** One kind of random requests. */
export interface RandomPart {
  /** What is compared, as in "the same responses to …". */
  name: string
  /** Cases for each list that is compared: what a case sends differs. */
  share: number
  compare(world: RandomWorld, options: RandomOptions): Promise<RandomResult>
}

type Caller = Pick<PairRequest, 'as'>
/** As a guest and as a superuser by turns. */
const caller = fc.constantFrom<Caller>({}, { as: 'superuser' })

const everything = '/collections/conf_everything/records'

function differenceOf({
  errorInstance,
  counterexamplePath,
}: Pick<fc.RunDetails<[]>, 'errorInstance' | 'counterexamplePath'>): string {
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${what}\nfast-check path: ${counterexamplePath}`
}

function part<T>(
  name: string,
  share: number,
  random: Arbitrary<T>,
  compareCase: (world: RandomWorld, value: T, as: Caller) => Promise<void>,
): RandomPart {
  return {
    name,
    share,
    async compare(world, { seed, cases, onCase, signal }) {
      const requests: Record<string, number> = {}
      const counting: RandomWorld = {
        ...world,
        async same(request) {
          await world.same(request)
          requests[request.method] = (requests[request.method] ?? 0) + 1
        },
      }
      let done = 0
      const property = fc.asyncProperty(random, caller, async (value, as) => {
        if (signal?.aborted) return
        await compareCase(counting, value, as)
        done += 1
        onCase?.(done)
      })
      const details = await fc.check(property, { seed, numRuns: cases })
      return { cases: done, requests, ...(details.failed && { difference: differenceOf(details) }) }
    },
  }
}

function remove({ both }: RandomWorld, path: string) {
  return both({ method: 'DELETE', path, as: 'superuser' })
}

/** All kinds, lists first. */
export const randomParts: readonly RandomPart[] = [
  part(
    'lists with any filter, order, expansion and choice of fields',
    1,
    queries,
    async ({ both, same }, { text, slipped }, as) => {
      const headers = { 'x-conf': 'Open' }
      const list = { method: 'GET', path: `${everything}?${text}`, headers, ...as }
      if (slipped && (await both(list)).reference.status === 400) return
      await same(list)
    },
  ),
  part(
    'creates and updates with any values',
    0.3,
    writes,
    async (world, { table, create: body, update }, as) => {
      const id = world.newId()
      const path = `/collections/${table}/records`
      try {
        await world.same({ method: 'POST', path, body: { ...body, id }, ...as })
        await world.same({ method: 'PATCH', path: `${path}/${id}`, body: update, ...as })
        await world.same({ method: 'GET', path: `${path}/${id}`, ...as })
      } finally {
        await remove(world, `${path}/${id}`)
      }
    },
  ),
  part('bodies of any media type', 0.2, rawBodies, async (world, { type, text }, as) => {
    const id = world.newId()
    await world.same(createRequest('conf_everything', { id }))
    const path = `${everything}/${id}`
    await world.same({ method: 'PATCH', path, headers: { 'content-type': type }, body: text, ...as })
    await world.same({ method: 'GET', path, ...as })
    await remove(world, path)
  }),
  part('batches, which leave the same records behind', 0.15, batches, async (world, entries, as) => {
    try {
      await world.same(createRequest('conf_plain', { id: pool[0] }))
      await world.same(createRequest('conf_loose', { id: pool[0], one: pool[0], many: [pool[0]] }))
      await world.same({ method: 'POST', path: '/batch', body: { requests: entries }, ...as })
      for (const table of touched)
        await world.same({
          method: 'GET',
          path: `/collections/${table}/records?sort=id&perPage=500`,
          as: 'superuser',
        })
    } finally {
      for (const table of [...touched, 'conf_locked'])
        for (const id of [...pool, 'nothere00000000'])
          await remove(world, `/collections/${table}/records/${id}`)
    }
  }),
  part('sign-ins that fail', 0.5, signIns, ({ same }, request) => same(request)),
]
