import { expect, it } from 'vitest'
import { createMemory } from './memory.ts'

function memoryAt(start: number) {
  let time = start
  const memory = createMemory(() => time)
  return {
    memory,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

it('keeps at most 20,000 entries, even if its clock is frozen', () => {
  const { memory } = memoryAt(0)
  for (let address = 0; address < 100_000; address += 1) memory.admit(`rate\0${address}`, 1, 60_000)
  expect(memory.save().entries.size).toBeLessThanOrEqual(20_000)
  expect(memory.admit('rate\x0099999', 1, 60_000)).toBe(false)
})

it('counts in windows that begin with their first event', () => {
  const { memory, pass } = memoryAt(0)
  const admitted = [600, 399, 1].map((milliseconds) => {
    const isAdmitted = memory.admit('a', 1, 1_000)
    pass(milliseconds)
    return isAdmitted
  })
  expect([...admitted, memory.admit('a', 1, 1_000)]).toEqual([true, false, false, true])
})

it('removes entries that have expired by its own clock first', () => {
  const { memory, pass } = memoryAt(0)
  memory.admit('lasting', 1, 10_000_000)
  for (let turn = 0; turn < 30_000; turn += 1) {
    memory.admit(`short\0${turn}`, 1, 1_000)
    pass(1)
  }
  expect(memory.since('lasting')).toBe(0)
  expect(memory.since('short\x0029990')).toBe(29_990)
  expect(memory.since('short\x0028000')).toBeUndefined()
})

it('forgets what is over long before there are too many', () => {
  const { memory, pass } = memoryAt(0)
  for (let turn = 0; turn < 50_000; turn += 1) {
    memory.admit(`short\0${turn}`, 1, 100)
    pass(1)
  }
  expect(memory.save().entries.size).toBeLessThanOrEqual(1_000)
})

it('forgets what would be over first where too much lasts, and never what lasts for ever', () => {
  const { memory } = memoryAt(0)
  memory.note('for ever')
  for (let turn = 0; turn < 30_000; turn += 1) memory.admit(`window\0${turn}`, 1, 1_000 + turn)
  expect(memory.since('for ever')).toBe(0)
  expect(memory.since('window\x0029999')).toBe(0)
  expect(memory.since('window\x000')).toBeUndefined()
})

it('distinguishes long keys without storing them', () => {
  const { memory } = memoryAt(0)
  const path = '/x'.repeat(100_000)
  memory.note(`${path}1`, 10, 'one')
  memory.note(`${path}2`, 10, 'two')
  expect([memory.about(`${path}1`), memory.about(`${path}2`)]).toEqual(['one', 'two'])
  for (const [key] of memory.save().entries.entries()) expect(key.length).toBeLessThan(100)
  memory.forget(`${path}1`)
  expect(memory.about(`${path}1`)).toBeUndefined()
})
