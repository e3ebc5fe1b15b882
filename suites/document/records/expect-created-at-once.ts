import { expectEqual, isRejected } from '../../../harness/judging/expect.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { givenIdsIfPossible } from '../batch/given-ids.ts'

/**
 * Each of several concurrent creates that is accepted adds a record. Two with the same id as well: one may be rejected.
 * A server may also ignore a create with an id that is taken: one that rejects it when it comes alone does not.
 */
export async function expectCreatedAtOnce(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  const mark = unique('at-once')
  const titled = (names: readonly string[], given: Body = {}) =>
    names.map((name): Body & { title: string } => ({ ...given, title: `${mark}-${name}` }))
  const accepted: string[] = []
  const send = async (bodies: ReturnType<typeof titled>) => {
    const responses = await Promise.all(bodies.map((body) => api.create(plain, body)))
    accepted.push(...bodies.filter((_, at) => responses[at]?.ok).map(({ title }) => title))
  }
  await send(titled(['a', 'b', 'c', 'd']))
  const id = await idForOne(context)
  if (id !== undefined) await send(titled(['e', 'f'], { id }))
  const made = await readTable(api, plain, ({ title }) => accepted.includes(String(title).toLowerCase()))
  expectEqual(
    [...made.values()].map(({ title }) => String(title).toLowerCase()).sort(),
    accepted.sort(),
    'the titles of records that concurrent creates made',
  )
}

/** An id that one of two creates may have; undefined if the server takes no ids, or does not reject the second one. */
async function idForOne(context: CheckContext): Promise<string | undefined> {
  const { api, table, unique } = context
  const plain = table('plain')
  const nextId = await givenIdsIfPossible(context)
  if (nextId === undefined) return undefined
  const id = nextId()
  if (!(await api.create(plain, { id, title: unique('first') })).ok) return undefined
  return isRejected(await api.create(plain, { id, title: unique('second') })) ? nextId() : undefined
}
