import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { OperationId } from '../../spec/vocabulary.ts'
import { sideBySide } from './side-by-side.ts'

const requirement = (after: string[], operations: OperationId[] = []) => ({ after, operations })
const planned = (...ids: string[]) =>
  ids.map((id) => ({ id, suite: id === 'all' ? 'document/wire' : 'document/x' }))

it('never runs more checks than there are places', async () => {
  let underWay = 0
  let highest = 0
  await sideBySide(planned('a', 'b', 'c', 'd', 'e'), new Map(), 2, async () => {
    highest = Math.max(highest, ++underWay)
    await sleep(5)
    underWay -= 1
  })
  expect([underWay, highest]).toEqual([0, 2])
})

it('runs a check after the checks that it builds on, and after the checks of its operations', async () => {
  const events: string[] = []
  const requirements = new Map([
    ['b', requirement(['a'])],
    ['c', requirement([], ['authRefresh'])],
  ])
  const checks = planned('operation.auth-refresh', 'a', 'b', 'c')
  await sideBySide(checks, requirements, 4, async ({ id }) => {
    events.push(`${id} begins`)
    await sleep(id === 'a' ? 20 : 5)
    events.push(`${id} ends`)
  })
  expect(events.indexOf('a ends')).toBeLessThan(events.indexOf('b begins'))
  expect(events.indexOf('operation.auth-refresh ends')).toBeLessThan(events.indexOf('c begins'))
  expect(events.indexOf('c begins')).toBeLessThan(events.indexOf('a ends'))
})

it('runs those about all exchanges last', async () => {
  const ended: string[] = []
  await sideBySide(planned('a', 'b', 'all'), new Map(), 3, async ({ id }) => {
    await sleep(id === 'a' ? 20 : 1)
    ended.push(id)
  })
  expect(ended).toEqual(['b', 'a', 'all'])
})

it('runs the others to their end before it throws the first error', async () => {
  const ended: string[] = []
  const running = sideBySide(planned('a', 'b', 'c'), new Map(), 1, async ({ id }) => {
    await sleep(5)
    if (id !== 'c') throw new Error(`of ${id}`)
    ended.push(id)
  })
  await expect(running).rejects.toThrow('of a')
  expect(ended).toEqual(['c'])
})

it('runs a check although one that it builds on threw', async () => {
  const ended: string[] = []
  const requirements = new Map([['b', requirement(['a'])]])
  const running = sideBySide(planned('a', 'b'), requirements, 2, async ({ id }) => {
    if (id === 'a') throw new Error('of a')
    ended.push(id)
  })
  await expect(running).rejects.toThrow('of a')
  expect(ended).toEqual(['b'])
})
