/** The search for a record whose create returned no id. */

import { expect, it } from 'vitest'
import { TargetLostError } from '../errors.ts'
import { ExpectationError } from '../judging/expect.ts'
import type { Api, ApiResponse, Query } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'
import { findIntended } from './find-intended.ts'

const session = { binding: {} } as Session
const intent = { table: 'notes', field: 'title', value: 'run-abcdef1' }

/** A table that returns these items on one page, and filters only with a known filter. */
function tableOf(items: unknown, filters: boolean): Api {
  const list = async (_table: unknown, { filter }: Query = {}) => {
    const ok = filter === undefined || filters
    return { ok, status: ok ? 200 : 400, body: { items, totalPages: 1 } } as ApiResponse
  }
  return { list } as Api
}

it.each([true, false])(
  'finds the records with its value, if it can be filtered by it: %s',
  async (filters) => {
    const items = [
      { id: 'a', title: intent.value },
      { id: 'b', title: 'another' },
      null,
      { id: 7, title: intent.value },
      { id: '', title: intent.value },
      { title: intent.value },
    ]
    expect(await findIntended(session, tableOf(items, filters), intent)).toEqual({ ids: ['a', '7'] })
  },
)

it.each([
  [null, 'the id null'],
  ['', 'the id ""'],
  [{ $oid: 'a' }, 'the id {"$oid":"a"}'],
  [undefined, 'no id'],
])('says that its record is listed without an id that a path can contain: %j', async (id, listedAs) => {
  const items = [
    { id: 'a', title: 'another' },
    { id, title: intent.value },
  ]
  expect(await findIntended(session, tableOf(items, true), intent)).toEqual({ listedAs })
})

it('reads a table whose filter has another form and finds nothing, until a filter has found something', async () => {
  const other = { binding: {} } as Session
  const items = [{ id: 'a', title: intent.value }]
  let requests = 0
  /** @param filters whether a filter is understood; otherwise it matches nothing */
  const table = (filters: boolean) => {
    const list = async (_table: unknown, { filter }: Query = {}) => {
      requests += 1
      const shown = filter === undefined || filters ? items : []
      return { ok: true, status: 200, body: { items: shown, totalPages: 1 } } as unknown as ApiResponse
    }
    return { list } as Api
  }
  expect(await findIntended(other, table(false), intent)).toEqual({ ids: ['a'] })
  expect(requests).toBe(2)
  await findIntended(other, table(true), intent)
  expect(await findIntended(other, table(false), intent)).toEqual({ ids: [] })
  expect(requests).toBe(4)
})

it('says why nothing can be listed', async () => {
  const closed = { list: async () => ({ ok: false, status: 403, body: {} }) } as unknown as Api
  expect(await findIntended(session, closed, intent)).toEqual({ reason: 'the list returned 403' })
})

it.each([
  ['asks for characters that need no escaping', '᎙ür-abcdef1', { ids: ['a'] }],
  [
    'says that not all of a table was read',
    "it's-abcdef1",
    { reason: 'the list reached no last page: page 2 showed no new record' },
  ],
])('of a table that shows only its first records, %s', async (_, value, found) => {
  const kept = { id: 'a', title: value }
  const list = async (_table: unknown, { filter }: Query = {}) => {
    const items = String(filter ?? '').includes(value) ? [kept] : [{ id: 'b', title: 'first' }]
    return { ok: true, status: 200, body: { items, totalPages: 9 } } as ApiResponse
  }
  expect(await findIntended(session, { list } as Api, { ...intent, value })).toEqual(found)
})

it('says that a list cannot be read, and does not hide that the target is lost', async () => {
  const failing = (error: Error) => ({ list: () => Promise.reject(error) }) as unknown as Api
  const unreadable = new ExpectationError('the response is no JSON', 'JSON', '<html>')
  expect(await findIntended(session, failing(unreadable), intent)).toEqual({
    reason: 'the response is no JSON',
  })
  await expect(findIntended(session, failing(new TargetLostError()), intent)).rejects.toThrow(TargetLostError)
})

it('reads every page of the records with its value', async () => {
  const items = Array.from({ length: 7 }, (_, at) => ({ id: `r${at}`, title: intent.value }))
  const list = async (_table: unknown, { filter, page: number = 1 }: Query = {}) => {
    const page = Number(number)
    const all = filter === undefined ? [{ id: 'other', title: 'other' }, ...items] : items
    const shown = all.slice((page - 1) * 3, page * 3)
    const body = {
      page,
      perPage: 3,
      totalItems: all.length,
      totalPages: Math.ceil(all.length / 3),
      items: shown,
    }
    return { ok: true, status: 200, body } as unknown as ApiResponse
  }
  const found = await findIntended({ binding: {} } as Session, { list } as unknown as Api, intent)
  expect(found).toEqual({ ids: items.map(({ id }) => id) })
})
