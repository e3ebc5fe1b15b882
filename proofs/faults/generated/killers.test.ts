import { describe, expect, it } from 'vitest'
import type { Breach } from './breach.ts'
import { Killers } from './killers.ts'

const breach = (name: string): Breach => ({
  name,
  kind: 'key',
  operation: 'viewRecord',
  watch: () => () => true,
  make: () => (request, next) => next(request),
})

describe('checks that saw a breach before', () => {
  const ids = ['a', 'b', 'c']
  const killers = new Killers()
  killers.saw(breach('viewRecord · 2xx id · dropped'), 'c')
  for (const mutation of ['dropped', 'altered', 'null'])
    killers.saw(breach(`viewRecord · 2xx created · ${mutation}`), 'b')

  it('come first for the same part, then for the same kind', () => {
    expect(killers.first(breach('viewRecord · 2xx id · null'), ids)).toEqual(['c', 'b', 'a'])
    expect(killers.first(breach('viewRecord · 2xx created · zero'), ids)).toEqual(['b', 'c', 'a'])
    expect(killers.first(breach('viewRecord · 2xx updated · null'), ids)).toEqual(['b', 'c', 'a'])
  })

  it('leave the order as it is where nothing is known', () => {
    expect(new Killers().first(breach('viewRecord · 2xx id · null'), ids)).toEqual(ids)
  })
})
