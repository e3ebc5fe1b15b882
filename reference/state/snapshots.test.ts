import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { forumTables } from '../../test/support/forum-tables.ts'
import { call, signIn } from '../../test/support/reference-call.ts'
import { turn } from '../environment/timers.ts'
import { createReference } from '../reference.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * Microseconds of each quarter of so many runs, and the heap afterwards in megabytes. A tenth of the runs is faster
 * than the time given: what else the machine does slows down the others.
 */
async function measure(runs: number, work: () => unknown): Promise<{ quarters: number[]; heaps: number[] }> {
  const [quarters, heaps]: [number[], number[]] = [[], []]
  for (let quarter = 0; quarter < 4; quarter++) {
    const times: number[] = []
    for (let run = 0; run < runs / 4; run++) {
      const before = performance.now()
      await work()
      times.push((performance.now() - before) * 1000)
    }
    quarters.push(times.sort((a, b) => a - b)[Math.floor(times.length / 10)] ?? 0)
    // What is done in the background holds on to some of it for a turn.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    heaps.push(process.memoryUsage().heapUsed / 1e6)
  }
  return { quarters, heaps }
}

async function withRecords(count: number) {
  const reference = createReference({ tables: forumTables, seed: 1, passwordCost: 4 })
  await reference.make('members', 1)
  await reference.make('posts', count)
  return reference
}

const turns = inFull ? 10_000 : 1_000

test(`${turns} resets after a write, and ${turns} forks, take the same time and memory all along`, async () => {
  const reference = await withRecords(1000)
  const state = reference.snapshot()
  const write = () =>
    reference.records.create('members', { email: 'x@example.com', role: 'reader', password: 'password1' })
  await write()
  const resets = await measure(turns, () => {
    reference.restore(state)
  })
  const forks = await measure(turns, () => reference.fork())
  for (const [name, { quarters, heaps }] of Object.entries({ resets, forks })) {
    const figures = [quarters, heaps].map((all) => all.map((one) => one.toFixed(1)).join(' · '))
    console.log(`${turns} ${name}, by quarters: ${figures[0]} µs each, heap ${figures[1]} MB`)
    expect(quarters[3]).toBeLessThan(3 * (quarters[1] ?? 0) + 20)
    // 300 bytes for each turn, and 300 kB that the collector has not freed yet.
    expect(Math.min(...heaps.slice(2)) - (heaps[0] ?? 0)).toBeLessThan(0.3 + 0.0003 * turns)
  }
  expectWithin(forks.quarters[3] ?? 0, 3000)
  expect(reference.records.count('posts')).toBe(1000)
}, 120_000)

test('what a snapshot, a reset and a fork cost does not depend on how much there is', async () => {
  const cost = async (count: number) => {
    const reference = await withRecords(count)
    const turn = async () => {
      const state = reference.snapshot()
      reference.fork()
      reference.restore(state)
    }
    return (await measure(inFull ? 400 : 100, turn)).quarters[3] ?? 0
  }
  const [small, large] = [await cost(10), await cost(10_000)]
  expect(large).toBeLessThan(4 * small + 100)
}, 60_000)

test(`${turns} resets with a write between them end where they began`, async () => {
  const reference = createReference({
    tables: [{ name: 'notes', fields: [{ name: 'text', type: 'text' }] }],
    seed: 1,
  })
  const ids = new Set<string>()
  for (let turn = 0; turn < turns; turn++) {
    ids.add((await reference.records.create('notes', { text: 'x' })).id)
    reference.reset()
  }
  expect([ids.size, reference.records.count('notes')]).toEqual([1, 0])
}, 60_000)

test('the state goes through JSON and back, with everything that belongs to it', async () => {
  const options = {
    tables: forumTables,
    seed: 9,
    apiKeys: [{ tables: ['posts'], actions: ['list' as const] }],
    superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
  }
  const one = createReference(options)
  const [member] = await one.make('members', 2)
  await one.make('posts', 5, {
    author: member,
    cover: new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'a.png'),
  })
  const token = await signIn(one, 'members', member?.email ?? '', 'password1234')
  const json = JSON.stringify(await one.exportState())
  const other = createReference({ prefix: '/api/v1', seed: 1 })
  await other.importState(JSON.parse(json))
  const list = 'GET /collections/posts/records?sort=id'
  expect((await call(other, list)).text).toBe((await call(one, list)).text)
  const refreshed = await call(other, 'POST /collections/members/auth-refresh', undefined, { token })
  expect(refreshed.status).toBe(200)
  const [key] = one.apiKeys.initial
  expect((await call(other, list, undefined, { token: key?.key })).status).toBe(200)
  expect(await signIn(other, '_superusers', 'root@example.com', 'rootpass123')).not.toBe('')
  expect(JSON.stringify((await other.exportState()).files)).toBe(
    JSON.stringify((await one.exportState()).files),
  )
  expect((await other.records.create('members', { role: 'reader', email: 'new@example.com' })).id).not.toBe(
    '',
  )
  await expect(other.importState({} as never)).rejects.toThrow('The state has no "version". Add it.')
})

test('imports take effect in the order of their calls, and not after a reset', async () => {
  const tables = [{ name: 'notes', fields: [{ name: 'text', type: 'text' as const }] }]
  const stateOf = (count: number) => {
    const notes = Array.from({ length: count }, (_, at) => ({ text: `note ${at}` }))
    return createReference({ tables, records: { notes } }).exportState()
  }
  const [large, small] = [await stateOf(5_000), await stateOf(1)]
  const reference = createReference({ tables })
  await Promise.all([reference.importState(large), reference.importState(small)])
  expect(reference.records.count('notes')).toBe(1)
  const imported = expect(reference.importState(large)).rejects.toThrow('was restored')
  await turn()
  await turn()
  reference.reset()
  await imported
  expect(reference.records.count('notes')).toBe(0)
})
