import { expect, it } from 'vitest'
import type { Api } from '../vocabulary/api.ts'
import { type ListEnd, recordsOf } from './prior-records.ts'

async function read(
  items: unknown[],
  more: Record<string, unknown>,
): Promise<{ ids: string[]; end?: ListEnd }> {
  const list = async () => ({ ok: true, status: 200, body: { items, page: 1, totalPages: 1, ...more } })
  let end: ListEnd | undefined
  const ids: string[] = []
  for await (const { id } of recordsOf({ list } as unknown as Api, 'notes', 100, (how) => {
    end = how
  }))
    ids.push(id)
  return { ids, end }
}

it('reads a list to its end, records without a usable id included', async () => {
  const items = [{ id: 'a' }, { id: null }, { id: '' }]
  expect(await read(items, { totalItems: 3 })).toEqual({ ids: ['a'], end: 'whole' })
})

it('does not count them again on a page that was shown before', async () => {
  const items = [{ id: 'a' }, { title: 'no id' }]
  expect(await read(items, { totalItems: 3, totalPages: 2 })).toEqual({ ids: ['a'], end: 'cut' })
})

it('does not take a page for all if more records are counted', async () => {
  expect(await read([{ id: 'a' }], { totalItems: 2 })).toEqual({ ids: ['a'], end: 'cut' })
})
