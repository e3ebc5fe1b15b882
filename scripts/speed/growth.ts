/**
 * How long one list takes in the process as the table grows, with and without a declared index.
 *
 * @module
 */

import type { createReference as CreateReference } from '../../reference/reference.ts'
import { type BenchRecord, table } from './peer.ts'
import { median } from './ratios.ts'

const indexes = ['CREATE INDEX by_rank ON posts (rank)']

/** @returns milliseconds by query */
export async function growth(
  createReference: typeof CreateReference,
  records: readonly BenchRecord[],
  rounds: number,
): Promise<Map<string, number>> {
  const count = records.length
  const rank = count >> 1
  const queries: [string, string, readonly string[]][] = [
    ['GET one', `/${records[rank]?.id}`, []],
    ['first page', '', []],
    ['last page', `?page=${Math.ceil(count / 30)}`, []],
    ['equality, index', `?filter=rank=${rank}`, indexes],
    ['range, index', `?filter=${encodeURIComponent(`rank>${rank}&&rank<${rank + 20}`)}`, indexes],
    ['sort, index', '?sort=-rank', indexes],
    ['two conditions', `?filter=${encodeURIComponent(`rank>${rank}&&title~'7'`)}`, []],
    ['sort', '?sort=-rank', []],
  ]
  const found = new Map<string, number>()
  for (const used of [[], indexes]) {
    const reference = createReference({
      tables: [{ ...table, fields: [...table.fields], indexes: used }],
      records: { posts: records.map((record) => ({ ...record })) },
      prefix: '/api',
      limits: { steps: Number.POSITIVE_INFINITY },
    })
    for (const [name, query, wanted] of queries) {
      if (wanted !== used && !(wanted.length === 0 && used.length === 0)) continue
      const times: number[] = []
      for (let turn = 0; turn < rounds + 2; turn += 1) {
        const begin = performance.now()
        const response = await reference.fetch(`/api/collections/posts/records${query}`)
        if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`)
        await response.text()
        times.push(performance.now() - begin)
      }
      found.set(name, median(times.slice(2)))
    }
    await reference.close()
  }
  return found
}

/** @returns GET requests per second, without a socket */
export async function inProcess(
  createReference: typeof CreateReference,
  records: readonly BenchRecord[],
  ms: number,
): Promise<number> {
  const reference = createReference({
    tables: [{ ...table, fields: [...table.fields] }],
    records: { posts: records.map((record) => ({ ...record })) },
    prefix: '/api',
  })
  let sent = 0
  const begin = performance.now()
  while (performance.now() - begin < ms) {
    const id = records[(sent * 31) % records.length]?.id
    await (await reference.fetch(`/api/collections/posts/records/${id}`)).text()
    sent += 1
  }
  const rate = (sent / (performance.now() - begin)) * 1000
  await reference.close()
  return rate
}
