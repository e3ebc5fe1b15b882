import { describe, expect, it } from 'vitest'
import { operationEntries } from '../operation-entries.ts'
import { coverageOf } from './coverage-report.ts'
import { describedAs, owedStatuses } from './owed-statuses.ts'
import { SeenRows } from './seen-rows.ts'

describe('statuses', () => {
  const one = { types: [] }
  const described = { responses: { 200: one, 404: one, 500: one }, ranges: { '2XX': one, default: one } }

  it('are expected if they have an entry of their own and are below 500', () => {
    expect(owedStatuses(described)).toEqual(['200', '404'])
  })

  it('are described by their own entry, by a range or not at all', () => {
    const names = [200, 201, 418, 500, 503].map((status) => describedAs(described, status))
    expect(names).toEqual(['200', '2XX', 'default', '500', undefined])
  })
})

describe('coverageOf', () => {
  const row = { status: 404, actor: 'guest' as const, parameters: ['query.page'] }

  it('misses everything if nothing was seen', () => {
    const { operations, statuses, missing, requirements } = coverageOf({}, 7)
    expect(operations).toEqual({ seen: 0, total: 19, percent: 0 })
    expect(statuses.seen).toBe(0)
    expect(requirements).toEqual({ seen: 0, total: 7, percent: 0 })
    expect(missing).toHaveLength(19)
    for (const each of missing) expect(each.whole).toBe(true)
  })

  it('removes from what is missing what was seen, and nothing else', () => {
    const none = coverageOf({}, 7)
    const { operations, statuses, parameters, actors, requirements, missing } = coverageOf(
      { listRecords: [{ ...row, requirements: ['a.b'] }] },
      7,
    )
    expect([operations, statuses, parameters, actors, requirements].map(({ seen }) => seen)).toEqual([
      1, 1, 1, 1, 1,
    ])
    const [before] = none.missing
    const [list] = missing
    expect(list).toEqual({
      operation: 'listRecords',
      statuses: before?.statuses.filter((status) => status !== '404'),
      parameters: before?.parameters.filter((name) => name !== 'query.page'),
      actors: before?.actors.filter((actor) => actor !== 'guest'),
    })
    expect(missing.slice(1)).toEqual(none.missing.slice(1))
  })

  it('omits an operation that was seen completely', () => {
    const rows = new SeenRows()
    for (const entry of operationEntries())
      for (const status of owedStatuses(entry).map(Number))
        for (const actor of entry.actors)
          rows.row({ operation: entry.id, status, actor: actor as 'guest', parameters: entry.parameters })
    const coverage = coverageOf(rows.byOperation(), 0)
    expect(coverage.missing).toEqual([])
    for (const what of ['operations', 'statuses', 'parameters', 'actors', 'requirements'] as const)
      expect(coverage[what].percent).toBe(100)
  })
})
