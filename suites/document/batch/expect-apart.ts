import { expectEqual } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { failingRequests } from './batch-steps.ts'

/** How often it is tried: what meets at a server is up to the moment. */
const rounds = 2

/**
 * Two batches and three single writes at once, each about records of its own: what was accepted took effect, and nothing
 * else did. Where `fails`, the second batch has a sub-request that cannot succeed.
 */
export async function expectApart(context: CheckContext, fails: boolean): Promise<void> {
  const { api, makeMany, table, unique } = context
  const plain = table('plain')
  const { create, update, remove } = subRequests(api)
  for (let round = 0; round < rounds; round += 1) {
    const marker = unique('at once')
    const old = `${marker} old`
    const made = await makeMany(
      plain,
      Array.from({ length: 5 }, () => ({ title: old })),
    )
    const [ofFirst = '', goes = '', ofSecond = '', single = '', gone = ''] = made.map(({ id }) => id)
    const [first, second, alone] = ['first', 'second', 'alone'].map((who) => ({ title: `${marker} ${who}` }))
    const failing = fails ? failingRequests(context, 'update-missing', marker) : []
    const responses = await together([
      api.batch([update(plain, ofFirst, first), create(plain, first), remove(plain, goes)]),
      api.batch([update(plain, ofSecond, second), create(plain, second), ...failing]),
      api.update(plain, single, alone ?? {}),
      api.create(plain, alone ?? {}),
      api.delete(plain, gone),
    ])
    const [one, other, updated, created, deleted] = responses.map(({ ok }) => ok)
    const secondDone = other === true && !fails
    const left = await readTable(api, plain, ({ title }) => String(title).startsWith(marker))
    const titleOf = (id: string) => left.get(id)?.title
    expectEqual(
      [ofFirst, goes, ofSecond, single, gone].map(titleOf),
      [
        one ? first?.title : old,
        one ? undefined : old,
        secondDone ? second?.title : old,
        updated ? alone?.title : old,
        deleted ? undefined : old,
      ],
      'the titles of records that concurrent batches and single writes changed',
    )
    const known = new Set(made.map(({ id }) => id))
    const fresh = [...left.values()].filter(({ id }) => !known.has(id)).map(({ title }) => title)
    expectEqual(
      fresh.sort(),
      [created ? alone : undefined, one ? first : undefined, secondDone ? second : undefined].flatMap(
        (body) => body?.title ?? [],
      ),
      'the titles of records that concurrent batches and single writes created',
    )
  }
}

/** All responses; an exception of one is thrown when the others have come. */
async function together(requests: readonly Promise<ApiResponse>[]): Promise<ApiResponse[]> {
  const outcomes = await Promise.allSettled(requests)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
