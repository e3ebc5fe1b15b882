import { describe, expect, it } from 'vitest'
import { createCoverage } from './create-coverage.ts'

describe('a floor', () => {
  it.each<[object, string]>([
    [{ operation: 80 }, 'There is no share of the coverage "operation". Did you mean "operations"?'],
    [{ operations: 800 }, 'The floor of operations must be a percentage from 0 to 100; found 800.'],
    [{ statuses: -1 }, 'The floor of statuses must be a percentage from 0 to 100; found -1.'],
    [{ actors: Number.NaN }, 'The floor of actors must be a percentage from 0 to 100; found NaN.'],
    [{ statuses: '80' }, 'The floor of statuses must be a percentage from 0 to 100; found "80".'],
  ])('%j is rejected', (floor, message) => {
    expect(() => createCoverage().below(floor)).toThrow(message)
  })

  it('names what is below it', () => {
    expect(createCoverage().below({ operations: 0, statuses: undefined, actors: 100 })).toEqual([
      expect.stringMatching(/^actors: 0 of \d+ \(0%\), below 100%$/),
    ])
  })
})

it('rejects what is not a report, and stays as it was', () => {
  const coverage = createCoverage()
  for (const other of [{}, [], null, { exchanges: 1, unknown: 0, counts: {} }])
    expect(() => coverage.merge(other as never)).toThrow('not the report of a coverage collector')
  expect(coverage.report().exchanges).toBe(0)
})
