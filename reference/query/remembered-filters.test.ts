/** Filters are compiled once and cached. Clients that send many different ones must not fill the memory with them. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { createReference } from '../reference.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

/** Without a limit, each would hold a quarter of a megabyte. */
const [count, limit] = inFull ? [1_000, 60] : [400, 30]

test(`${count} different long filters hold no more than ${limit} MB`, async () => {
  const names = ['one', 'two', 'three', 'four', 'five']
  const fields = [{ name: 'title', type: 'text' as const }]
  const reference = createReference({ tables: names.map((name) => ({ name, listRule: '', fields })) })
  const before = heap()
  for (let turn = 0; turn < count; turn += 1) {
    const comparisons = Array.from({ length: 150 }, (_, at) => `title~"${turn}_${at}"`)
    const query = new URLSearchParams({ filter: comparisons.join('||') })
    const name = names[turn % names.length]
    const { status } = await reference.fetch(`/api/v1/collections/${name}/records?${query}`)
    expect(status).toBe(200)
  }
  expect(heap() - before).toBeLessThan(limit)
})
