import { expect, it } from 'vitest'
import { LimitExceeded } from '../errors.ts'
import { Work } from './work.ts'

it('counts the steps of each piece of work from zero, even if the request does not rest', () => {
  const work = new Work({ steps: 1000, stepsAtOnce: 100 })
  for (let piece = 0; piece < 10; piece += 1) {
    work.endPiece()
    work.spend(100)
  }
  work.endPiece()
  expect(() => work.spend(1)).toThrow(LimitExceeded)
})

it('rejects a piece that takes too many steps', () => {
  const work = new Work({ steps: 1000, stepsAtOnce: 100 })
  work.spend(60)
  expect(() => work.spend(60)).toThrow(/One record takes more than 100 steps/)
})

it('rejects a first piece that takes more steps than the whole request may', () => {
  const work = new Work({ steps: 10, stepsAtOnce: 100 })
  work.spend(10)
  expect(() => work.spend(1)).toThrow(/The request takes more than 10 steps/)
})
