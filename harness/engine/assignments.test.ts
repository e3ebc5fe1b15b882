import { expect, it } from 'vitest'
import { loadRequirements } from '../../spec/requirements.ts'
import { planChecks } from '../planning/plan.ts'
import { listChecks } from '../planning/suites.ts'
import { shardsOf, worthTwoShards } from './assignments.ts'

const requirements = loadRequirements()
const checks = planChecks(await listChecks(), requirements)
const shards = shardsOf(checks, requirements)

it('no check depends on one in the other shard', () => {
  const across = checks.flatMap(({ id }) =>
    (requirements.get(id)?.after ?? [])
      .filter((earlier) => shards.has(earlier) && shards.get(earlier) !== shards.get(id))
      .map((earlier) => `${id} after ${earlier}`),
  )
  expect(across).toEqual([])
})

it('a check is in the shard of its topic, or of its dependency', () => {
  const planned = [
    { id: 'a', suite: 'document/auth/x' },
    { id: 'b', suite: 'document/derived/x' },
    { id: 'c', suite: 'profile/lists/x' },
  ]
  const built = new Map([['b', { after: ['a'] }]])
  expect([...shardsOf(planned, built).values()]).toEqual(['second', 'second', 'first'])
})

it('the whole suite has two shards, and a few checks have one', () => {
  expect(worthTwoShards(checks, requirements, {})).toBe(true)
  expect(worthTwoShards(checks.slice(0, 100), requirements, {})).toBe(false)
  const first = checks.filter(({ id }) => shards.get(id) === 'first')
  expect(worthTwoShards(first, requirements, {})).toBe(false)
})

it.each([{ bail: true }, { maxRequests: 5000 }, { rate: 100 }])('one after the other: %j', (options) => {
  expect(worthTwoShards(checks, requirements, options)).toBe(false)
})
