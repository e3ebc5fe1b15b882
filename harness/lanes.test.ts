import { expect, it } from 'vitest'
import { loadRequirements } from '../spec/requirements.ts'
import { laneOf, worthTwoLanes } from './lanes.ts'
import { loadSuites } from './suites.ts'

const checks = await loadSuites()

it('no check builds on one of the other lane', () => {
  const lanes = new Map(checks.map((check) => [check.id, laneOf(check)]))
  const requirements = loadRequirements()
  const across = checks.flatMap(({ id }) =>
    (requirements.get(id)?.after ?? [])
      .filter((earlier) => lanes.has(earlier) && lanes.get(earlier) !== lanes.get(id))
      .map((earlier) => `${id} after ${earlier}`),
  )
  expect(across).toEqual([])
})

it('the whole suite has two lanes, and a few checks have one', () => {
  expect(worthTwoLanes(checks, {})).toBe(true)
  expect(worthTwoLanes(checks.slice(0, 100), {})).toBe(false)
  const first = checks.filter((check) => laneOf(check) === 'first')
  expect(worthTwoLanes(first, {})).toBe(false)
})

it.each([{ bail: true }, { maxRequests: 5000 }, { rate: 100 }])('one after the other: %j', (options) => {
  expect(worthTwoLanes(checks, options)).toBe(false)
})
