import { expect, it } from 'vitest'
import type { Api, ApiResponse, Query } from '../../../harness/vocabulary/api.ts'
import { readTable } from './read-table.ts'

const table = { role: 'plain', name: 'notes' }

/** A target whose list responses come from a function. */
function responding(response: (query: Query) => { status?: number; body: object }) {
  const asked: Query[] = []
  const list = async (_table: unknown, query: Query = {}) => {
    asked.push(query)
    const { status = 200, body } = response(query)
    return { status, ok: status < 300, body, text: JSON.stringify(body) } as ApiResponse
  }
  const undisturbed = (work: () => Promise<unknown>) => work()
  return { asked, api: { list, undisturbed } as unknown as Api }
}

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: `r${from + at}` }))

it('requests fewer records at a time if many are rejected, once', async () => {
  const { api, asked } = responding(({ perPage }) =>
    Number(perPage) > 20
      ? { status: 422, body: {} }
      : { body: { page: 1, perPage, totalItems: 2, totalPages: 1, items: ids(1, 2) } },
  )
  for (const _again of [1, 2]) expect((await readTable(api, table, () => true)).size).toBe(2)
  expect(asked.map(({ perPage }) => perPage)).toEqual([200, 50, 20, 20])
})

it('counts pages from the one that it was given', async () => {
  const { api, asked } = responding(({ page = 0 }) => ({
    body: { page, perPage: 2, totalItems: 4, totalPages: 2, items: page === 0 ? ids(1, 2) : ids(3, 4) },
  }))
  expect([...(await readTable(api, table, () => true)).keys()]).toEqual(['r1', 'r2', 'r3', 'r4'])
  // The first one again, once no other check writes, and once more to see whether another client did.
  expect(asked.map(({ page }) => page)).toEqual([undefined, undefined, 1, undefined])
})

it('finds a record that is listed twice, unless others write at the same time', async () => {
  const twice = (total: number) =>
    responding(({ page = 1 }) => ({
      body: {
        page,
        perPage: 2,
        totalItems: page === 1 ? 3 : total,
        totalPages: 2,
        items: page === 1 ? ids(1, 2) : ids(2, 3),
      },
    }))
  await expect(readTable(twice(3).api, table, () => true)).rejects.toThrow('lists a record twice')
  expect((await readTable(twice(4).api, table, () => true)).size).toBe(3)
})

it('finds no record twice, and all of them, where others move records between two pages', async () => {
  // Newest update first: after each page, someone updates the last record.
  let order = ids(1, 5)
  const { api } = responding(({ page = 1 }) => {
    const items = order.slice(2 * Number(page) - 2, 2 * Number(page))
    order = [...order.slice(-1), ...order.slice(0, -1)]
    return { body: { page, perPage: 2, totalItems: 5, totalPages: 3, items } }
  })
  expect([...(await readTable(api, table, () => true)).keys()].sort()).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
})

it('finds no record twice where others move one behind the first page', async () => {
  let reads = 0
  const { api } = responding(({ page = 1 }) => {
    if (page === 1) reads += 1
    const second = reads === 2 ? ids(2, 3) : ids(3, 4)
    return {
      body: { page, perPage: 2, totalItems: 4, totalPages: 2, items: page === 1 ? ids(1, 2) : second },
    }
  })
  expect((await readTable(api, table, () => true)).size).toBe(4)
})

it('accuses no one where page numbers have no effect', async () => {
  const { api } = responding(() => ({
    body: { page: 1, perPage: 2, totalItems: 3, totalPages: 2, items: ids(1, 2) },
  }))
  await expect(readTable(api, table, () => true)).rejects.toMatchObject({
    name: 'UntestableError',
    message: expect.stringContaining('shows page 1 again instead of page 2'),
    hint: expect.stringContaining('"list.page" under "binding"'),
  })
})

it('reports a table that is too long to be read', async () => {
  const { api, asked } = responding(({ page = 1 }) => ({
    body: { page, perPage: 1, totalItems: 9_999, totalPages: 9_999, items: [{ id: `r${page}` }] },
  }))
  await expect(readTable(api, table, () => false)).rejects.toMatchObject({
    name: 'UntestableError',
    message: 'notes has more records than a check can read (9999)',
  })
  // The first one twice.
  expect(asked).toHaveLength(501)
})

it('accuses no one whose pages end before the table does', async () => {
  const { api } = responding(({ page = 1 }) =>
    Number(page) > 2
      ? { status: 400, body: { message: 'too deep' } }
      : {
          body: {
            page,
            perPage: 2,
            totalItems: 9,
            totalPages: 5,
            items: ids(2 * Number(page) - 1, 2 * Number(page)),
          },
        },
  )
  await expect(readTable(api, table, () => true)).rejects.toMatchObject({
    message: expect.stringContaining('page 3 of notes was rejected with 400'),
    hint: expect.stringContaining('a table with fewer records'),
  })
})
