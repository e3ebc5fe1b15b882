import { describe, expect, it } from 'vitest'
import { nearest } from '../../spec/nearest.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { planChecks, planSelected } from './plan.ts'

function requirement(id: string, more: Partial<Requirement> = {}): Requirement {
  return {
    id,
    statement: '',
    level: 'MUST',
    basis: 'stated',
    sources: [],
    operations: [],
    needs: [],
    after: [],
    ...more,
  }
}

const source = (section: string) => ({ section, place: 'row x', hash: '00000000' })
const requirements = new Map(
  [
    requirement('list.shape', {
      sources: [source('2.4')],
      operations: ['listRecords'],
      after: ['record.id'],
    }),
    requirement('list.page', { sources: [source('2.4')], after: ['list.shape'], level: 'SHOULD' }),
    requirement('record.id', { sources: [source('2.1')] }),
    requirement('sort.desc', { basis: 'profile', gap: 'sort.syntax', level: 'MAY' }),
  ].map((each) => [each.id, each]),
)
const checks = [...requirements.keys()].map((id) => ({ id }))
const ids = (selection: Parameters<typeof planChecks>[2]) =>
  planChecks(checks, requirements, selection).map(({ id }) => id)

describe('the plan', () => {
  it('puts a check after those that it depends on', () => {
    expect(ids({})).toEqual(['record.id', 'list.shape', 'list.page', 'sort.desc'])
  })

  it.each([
    ['record.id', ['record.id']],
    ['list', ['list.shape', 'list.page']],
    ['*.page', ['list.page']],
    ['2', ['record.id', 'list.shape', 'list.page']],
    ['§2.4', ['list.shape', 'list.page']],
    ['listRecords', ['list.shape']],
    ['should', ['list.page']],
    ['profile', ['sort.desc']],
    ['sort.syntax', ['sort.desc']],
  ])('selects by %s', (word, expected) => {
    expect(ids({ only: [word] })).toEqual(expected)
  })

  it('excludes, and limits by level', () => {
    expect(ids({ skip: ['list'] })).toEqual(['record.id', 'sort.desc'])
    expect(ids({ level: 'SHOULD' })).toEqual(['record.id', 'list.shape', 'list.page'])
  })

  it('rejects a word that matches nothing, with the nearest id', () => {
    expect(() => ids({ only: ['list.pgae'] })).toThrow(
      /"list.pgae" matches no requirement[\s\S]*did you mean list.page\?/,
    )
    expect(() => ids({ skip: ['zzzzzz'] })).toThrow(/--skip zzzzzz/)
  })

  it.each([
    ['standard', 'profile'],
    ['recommended', 'profile'],
    ['family', 'profile'],
    ['document', 'stated,implied'],
  ])('names the basis of %s, as the verdict calls it', (word, basis) => {
    expect(() => ids({ skip: [word] })).toThrow(`did you mean ${basis}?`)
  })

  it.each<[Parameters<typeof planSelected>[2], RegExp]>([
    [
      { only: ['list'], skip: ['list'] },
      /--skip leaves out everything that --only selects\n[\s\S]*--skip list/,
    ],
    [{ skip: ['*'] }, /--skip leaves out everything\n/],
    [
      { only: ['sort'], level: 'MUST' },
      /--level leaves out everything that --only selects\n[\s\S]*--level MUST/,
    ],
    [{ only: ['list'], skip: ['list.shape'], level: 'MUST' }, /--skip leaves out .* at the level MUST/],
  ])('rejects a selection of nothing: %j', (selection, message) => {
    expect(() => planSelected(checks, requirements, selection)).toThrow(message)
    expect(planChecks(checks, requirements, selection)).toEqual([])
  })

  it('plans each check of a dependency cycle once', () => {
    const circle = new Map([
      ['a', requirement('a', { after: ['b'] })],
      ['b', requirement('b', { after: ['a'] })],
    ])
    expect(planChecks([{ id: 'a' }, { id: 'b' }], circle)).toHaveLength(2)
  })
})

describe('nearest', () => {
  it('finds a similar word, and nothing for a different one', () => {
    expect(nearest('tabels', ['tables', 'binding'])).toBe('tables')
    expect(nearest('qqqqqqqq', ['tables', 'binding'])).toBeUndefined()
  })
})
