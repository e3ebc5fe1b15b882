/** Clean-up continues after a loss as far as the target responds, and a dead target costs no time per record. */

import { expect, test } from 'vitest'
import { TargetLostError } from '../errors.ts'
import { CleanupRegistry } from './cleanup-registry.ts'

/** Records a, b, c. For each delete, the given value says whether the target responds. */
function registryOf(responds: boolean[], alive: boolean[]) {
  const tried: string[] = []
  let probes = 0
  const cleanup = new CleanupRegistry({ alive: async () => alive[probes++] ?? false })
  const add = (id: string) =>
    cleanup.add({
      table: 'plain',
      id,
      async remove() {
        tried.push(id)
        if (responds[tried.length - 1] !== true) throw new TargetLostError()
        return { status: 204, reason: '' }
      },
    })
  for (const id of ['a', 'b', 'c']) add(id)
  return { cleanup, add, tried, probes: () => probes }
}

test('what waits for a lost target is deleted at the end, if it responds by then', async () => {
  const { cleanup, tried, probes } = registryOf([true, false, true, true], [true])
  await cleanup.cleanTo(0)
  expect(tried).toEqual(['c', 'b'])
  expect(cleanup.leftovers.all).toEqual([])
  await cleanup.cleanKept()
  expect(tried).toEqual(['c', 'b', 'b', 'a'])
  expect([cleanup.leftovers.all, probes()]).toEqual([[], 1])
})

test('a target that is lost again during the clean-up is probed again', async () => {
  const { cleanup, tried } = registryOf([true, false, true, true], [true])
  await cleanup.cleanKept()
  expect(tried).toEqual(['c', 'b', 'b', 'a'])
  expect(cleanup.leftovers.all).toEqual([])
})

test('a target that stays lost is tried once, and each record is reported once', async () => {
  const { cleanup, add, tried, probes } = registryOf([], [])
  await cleanup.cleanTo(0)
  add('d')
  await cleanup.cleanTo(0)
  await cleanup.cleanKept()
  expect(tried).toEqual(['c'])
  expect(probes()).toBe(1)
  expect(cleanup.leftovers.all.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(cleanup.leftovers.all.map(({ reason }) => reason))).toEqual(
    new Set(['the target stopped responding']),
  )
})
