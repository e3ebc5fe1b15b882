import { expect, it } from 'vitest'
import type { Api } from '../vocabulary/api.ts'
import { type ListEnd, recordsOf } from './prior-records.ts'

const repeats = {
  reason: 'reached no last page: page 2 showed no new record',
  mayBeAboutPages: true,
}

/** @param most records that are read */
async function readBy(list: () => Promise<unknown>, most = 100): Promise<{ ids: string[]; end?: ListEnd }> {
  let end: ListEnd | undefined
  const ids: string[] = []
  for await (const { id } of recordsOf({ list } as unknown as Api, 'notes', most, (how) => {
    end = how
  }))
    ids.push(id)
  return { ids, end }
}

function read(items: unknown[], more: Record<string, unknown>) {
  return readBy(async () => ({ ok: true, status: 200, body: { items, page: 1, totalPages: 1, ...more } }))
}

const endOf = async (...read: Parameters<typeof readBy>) => (await readBy(...read)).end

it('reads a list to its end, records without a usable id included', async () => {
  const items = [{ id: 'a' }, { id: null }, { id: '' }]
  expect(await read(items, { totalItems: 3 })).toEqual({ ids: ['a'], end: 'whole' })
})

it('does not count them again on a page that was shown before', async () => {
  const items = [{ id: 'a' }, { title: 'no id' }]
  expect(await read(items, { totalItems: 3, totalPages: 2 })).toEqual({ ids: ['a'], end: repeats })
})

it('does not take a page for all if more records are counted', async () => {
  expect(await read([{ id: 'a' }], { totalItems: 2 })).toEqual({ ids: ['a'], end: repeats })
})

it('stops at the limit of a table that goes on', async () => {
  let next = 0
  const list = async () => ({ ok: true, status: 200, body: { items: [{ id: `${next++}` }], totalItems: 9 } })
  expect(await endOf(list, 3)).toEqual({
    reason: 'reached no last page within 3 records',
    mayBeAboutPages: true,
  })
})

it.each([
  ['{"items": [', undefined, 'returned a body that is not JSON'],
  ['', undefined, 'returned an empty body'],
  ['[]', [], 'returned JSON without a list of items'],
  ['{"items": {}}', { items: {} }, 'returned JSON without a list of items'],
])('says what is wrong with the list %s', async (text, body, reason) => {
  expect(await endOf(async () => ({ ok: true, status: 200, text, body }))).toEqual({
    reason,
    mayBeAboutPages: false,
  })
})

it.each([
  [400, true],
  [403, false],
  [422, true],
])('says how a list was rejected: %i', async (status, mayBeAboutPages) => {
  const end = { reason: `returned ${status}`, mayBeAboutPages }
  expect(await endOf(async () => ({ ok: false, status }))).toEqual(end)
})
