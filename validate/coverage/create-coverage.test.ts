import { describe, expect, it } from 'vitest'
import { createCoverage } from './create-coverage.ts'

describe('a floor', () => {
  it.each<[object, string]>([
    [{ operation: 80 }, 'There is no share of the coverage "operation". Did you mean "operations"?'],
    [{ operations: 800 }, 'The minimum of operations must be a percentage from 0 to 100; found 800.'],
    [{ statuses: -1 }, 'The minimum of statuses must be a percentage from 0 to 100; found -1.'],
    [{ actors: Number.NaN }, 'The minimum of actors must be a percentage from 0 to 100; found NaN.'],
    [{ statuses: '80' }, 'The minimum of statuses must be a percentage from 0 to 100; found "80".'],
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
  const whole = createCoverage().report()
  for (const other of [
    ...[{}, [], null, { exchanges: 1, unknown: 0, counts: {} }],
    { ...whole, unknown: undefined },
    { ...whole, counts: { listRecords: null } },
  ])
    expect(() => coverage.merge(other as never)).toThrow('not the report of a coverage collector')
  expect(coverage.report().exchanges).toBe(0)
})

describe('a collector', () => {
  const exchange = {
    operation: 'listRecords',
    table: 'notes',
    request: { url: '/', headers: {} },
    response: { status: 404, body: {} },
  } as const

  it('adds up what others have seen, whatever the order in which they saw it', () => {
    const [one, other] = [createCoverage(), createCoverage()]
    one.record(exchange, ['b.b', 'a.a'], ['a.a'])
    one.record(undefined)
    other.record(exchange, ['a.a'], ['a.a'])
    other.record(undefined)
    one.merge(other.report())
    expect(one.report()).toMatchObject({
      exchanges: 4,
      unknown: 2,
      counts: { listRecords: { 404: 2 } },
      judged: { 'a.a': 2, 'b.b': 0 },
      seen: { listRecords: [{ status: 404, actor: 'guest', requirements: ['a.a', 'b.b'] }] },
    })
  })

  it('does not take a request without recorded headers for one of a guest', () => {
    const coverage = createCoverage()
    coverage.record({ ...exchange, request: { url: '/' } })
    expect(coverage.report().seen.listRecords).toMatchObject([{ actor: 'unknown' }])
  })
})
