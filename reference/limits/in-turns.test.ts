import { expect, test } from 'vitest'
import { elapsed, turn } from '../environment/timers.ts'
import { atOnce, inTurns, type Pieces } from './in-turns.ts'

function* busy(milliseconds: number): Pieces<string> {
  const end = elapsed() + milliseconds
  while (elapsed() < end) yield
  return 'done'
}

test('others run between the pieces', async () => {
  let turns = 0
  let ended = false
  const others = (async () => {
    for (; !ended; turns += 1) await turn()
  })()
  // However busy the machine is: as long as it takes, up to a limit.
  function* untilOthersRan(): Pieces<number> {
    const end = elapsed() + 20_000
    while (turns <= 3 && elapsed() < end) yield
    return turns
  }
  expect(await inTurns(untilOthersRan())).toBeGreaterThan(3)
  ended = true
  await others
})

test('short work does not wait for others', async () => {
  let run = false
  const other = turn().then(() => {
    run = true
  })
  expect(await inTurns(busy(0))).toBe('done')
  expect(run).toBe(false)
  await other
})

test('the same pieces can be done without waiting', () => {
  expect(atOnce(busy(30))).toBe('done')
})

test('an error in a piece ends the work', async () => {
  const failing = function* (): Pieces<never> {
    yield
    throw new Error('broken')
  }
  expect(() => atOnce(failing())).toThrow('broken')
  await expect(inTurns(failing())).rejects.toThrow('broken')
})
