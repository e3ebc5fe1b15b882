import type { Requirement } from '../../spec/vocabulary.ts'

/** A requirement that does not exist, for tests of what is done with one. */
export function madeUpRequirement(id: string, more: Partial<Requirement> = {}): Requirement {
  return {
    id,
    statement: 'It MUST.',
    level: 'MUST',
    basis: 'stated',
    sources: [{ section: '2.1', place: 'row id', hash: '00000000' }],
    operations: [],
    needs: [],
    after: [],
    ...more,
  }
}
