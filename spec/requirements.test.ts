import { describe, expect, test } from 'vitest'
import { indexRequirements, loadExclusions, loadRequirements, requirement } from './requirements.ts'

const source = { section: '2.4', place: 'row page', hash: '7e338cc5' }
const row = {
  id: 'list.page',
  statement: 'A list MUST tell its page.',
  basis: 'stated',
  source,
  operation: 'listRecords',
}
const gaps = new Map([['list.paging', {}]])

function index(...rows: unknown[]) {
  return indexRequirements([{ name: 'spec/x.yaml', content: { requirements: rows }, profile: false }], gaps)
}

function message(...rows: unknown[]): string {
  try {
    index(...rows)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('Nothing was refused.')
}

describe('a row', () => {
  test('becomes a requirement with the level of its statement', () => {
    expect(index({ ...row, needs: ['table:plain', 'write'] }).requirements.get('list.page')).toEqual({
      id: 'list.page',
      statement: 'A list MUST tell its page.',
      level: 'MUST',
      basis: 'stated',
      sources: [source],
      operations: ['listRecords'],
      needs: ['table:plain', 'write'],
      after: [],
    })
  })

  test.each([
    ['It MUST NOT be.', 'MUST'],
    ['It SHOULD be.', 'SHOULD'],
    ['It SHOULD NOT be.', 'SHOULD'],
    ['It MAY be.', 'MAY'],
    ['It MUST be, and it MUST NOT be more.', 'MUST'],
  ])('"%s" is a %s', (statement, level) => {
    expect(index({ ...row, statement }).requirements.get('list.page')?.level).toBe(level)
  })

  test('of a profile file may omit the basis', () => {
    const { basis: _, source: __, ...rest } = row
    const file = {
      name: 'p.yaml',
      content: { requirements: [{ ...rest, gap: 'list.paging' }] },
      profile: true,
    }
    expect(indexRequirements([file], gaps).requirements.get('list.page')).toMatchObject({
      basis: 'profile',
      gap: 'list.paging',
      sources: [],
    })
  })
})

describe('an error names file, id and fact', () => {
  const cases: [string, object, string][] = [
    ['unknown key', { ...row, opperation: 'x' }, 'list.page: "opperation" is not a known key'],
    ['no keyword', { ...row, statement: 'It is.' }, 'the statement has no keyword'],
    ['two levels', { ...row, statement: 'It MUST and SHOULD.' }, '2 keywords (MUST, SHOULD)'],
    ['three keywords', { ...row, statement: 'It MUST, MUST and MUST.' }, '3 keywords (MUST, MUST, MUST)'],
    [
      'unknown operation',
      { ...row, operation: 'listRecord' },
      'no operation "listRecord". Did you mean "listRecords"?',
    ],
    ['no operation', { ...row, operation: [] }, '"operation" is missing'],
    ['unknown basis', { ...row, basis: 'guessed' }, '"basis" is guessed'],
    ['no source', { ...row, source: undefined }, 'basis stated needs a "source"'],
    ['number as hash', { ...row, source: { ...source, hash: 12345678 } }, '"hash" is 12345678'],
    ['no hash', { ...row, source: { ...source, hash: 'xyz' } }, '"xyz" is not a hash'],
    ['gap of a stated one', { ...row, gap: 'list.paging' }, 'basis stated has a "source" and no "gap"'],
    ['profile without gap', { ...row, basis: 'profile', source: undefined }, 'names its "gap"'],
    [
      'unknown gap',
      { ...row, basis: 'profile', source: undefined, gap: 'list.pageing' },
      'no gap "list.pageing" in spec/gaps.yaml. Did you mean "list.paging"?',
    ],
    ['unknown need', { ...row, needs: ['tabel:plain'] }, '"tabel:plain" is not a need'],
    ['malformed id', { ...row, id: 'List Page' }, 'an id is area.topic'],
    [
      'unknown predecessor',
      { ...row, after: ['list.pags'] },
      'comes after "list.pags", which does not exist',
    ],
  ]

  test.each(cases)('%s', (_, wrong, fact) => {
    expect(message(wrong)).toContain(fact)
    expect(message(wrong)).toMatch(/^spec\/x\.yaml, /)
  })

  test('a duplicate id', () => {
    expect(message(row, row)).toBe('spec/x.yaml, list.page: the id is already used in spec/x.yaml.')
  })

  test('requirements that depend on each other', () => {
    const ring = ['a.a', 'a.b', 'a.c'].map((id, at, all) => ({ ...row, id, after: [all[(at + 1) % 3]] }))
    expect(message(...ring)).toContain('"after" leads back to it: a.a → a.b → a.c → a.a.')
  })

  test('a row that is not a mapping', () => {
    expect(message('list.page')).toBe('spec/x.yaml, row 1: a row is a mapping of keys to values.')
  })
})

describe('the files of the project', () => {
  test('load, the document before the profile', () => {
    const bases = [...loadRequirements().values()].map(({ basis }) => basis === 'profile')
    expect(bases).toContain(false)
    expect(bases.indexOf(true)).toBe(bases.lastIndexOf(false) + 1)
    expect(loadExclusions().length).toBeGreaterThan(0)
  })

  test('are found by id, and the error for an unknown one names the nearest', () => {
    expect(requirement('list.page').sources[0]?.section).toBe('2.4')
    expect(() => requirement('list.pge')).toThrow(
      'there is no requirement "list.pge". Did you mean "list.page"?',
    )
  })
})
