import { expectEqual } from '../../../harness/judging/expect.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { failingRequests } from './batch-steps.ts'

/** Number of rounds: which requests overlap varies from round to round. */
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
    const old = Array.from({ length: 5 }, (_, at) => ({ title: `${marker} old ${at}` }))
    const ids = (await makeMany(plain, old)).map(({ id }) => id)
    const [ofFirst = '', goes = '', ofSecond = '', single = '', gone = ''] = ids
    const [first, second, alone] = ['first', 'second', 'alone'].map((who) => ({ title: `${marker} ${who}` }))
    const [firstNew, secondNew, aloneNew] = ['first', 'second', 'alone'].map((who) => ({
      title: `${marker} ${who} new`,
    }))
    const failing = fails ? failingRequests(context, 'update-missing', marker) : []
    const responses = await together([
      api.batch([update(plain, ofFirst, first), create(plain, firstNew), remove(plain, goes)]),
      api.batch([update(plain, ofSecond, second), create(plain, secondNew), ...failing]),
      api.update(plain, single, alone ?? {}),
      api.create(plain, aloneNew ?? {}),
      api.delete(plain, gone),
    ])
    const [one, other, updated, created, deleted] = responses.map(({ ok }) => ok)
    const secondDone = other === true && !fails
    const left = await readTable(api, plain, ({ title }) => String(title).startsWith(marker))
    // A create may get the id of a record that was deleted at the same time.
    const isNew = ({ title }: WireRecord) => String(title).endsWith(' new')
    const titleOf = (id: string) => {
      const record = left.get(id)
      return record === undefined || isNew(record) ? undefined : record.title
    }
    const titles = old.map(({ title }) => title)
    expectEqual(
      ids.map(titleOf),
      [
        one ? first?.title : titles[0],
        one ? undefined : titles[1],
        secondDone ? second?.title : titles[2],
        updated ? alone?.title : titles[3],
        deleted ? undefined : titles[4],
      ],
      'the titles of records that concurrent batches and single writes changed',
    )
    const fresh = [...left.values()].filter((record) => !ids.includes(record.id) || isNew(record))
    expectEqual(
      fresh.map(({ title }) => title).sort(),
      [
        created ? aloneNew : undefined,
        one ? firstNew : undefined,
        secondDone ? secondNew : undefined,
      ].flatMap((body) => body?.title ?? []),
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
