import { describe, expect, it } from 'vitest'
import type { Unlisted } from '../vocabulary/report.ts'
import type { Target } from '../vocabulary/target.ts'
import { withCause } from './with-cause.ts'

const rejected = { table: 'books', reason: 'its list returned 400', mayBeAboutPages: true }
const repeated = {
  table: 'books',
  reason: 'its list reached no last page: page 2 showed no new record',
  mayBeAboutPages: true,
}
const closed = { table: 'books', reason: 'its list returned 401', mayBeAboutPages: false }
const explored: Target['explored'] = { plain: [], closed: [], members: [], relations: [], asked: [] }

describe('the reason why a table was not listed completely', () => {
  it.each([rejected, repeated])('names a page number without a known form', (unlisted) => {
    const target = { binding: {}, unknownForms: ['page number'] as const }
    expect(withCause(unlisted, target).reason).toBe(
      `${unlisted.reason}; no usual form of a page number has an effect`,
    )
  })

  it('says that the form was found later', () => {
    expect(withCause(rejected, { binding: { 'list.page': 'pageNo' }, explored }).reason).toBe(
      'its list returned 400; it was read before the run knew how the server names a page',
    )
  })

  it('stays as it is where no page parameter is the cause', () => {
    const shown = ({ table, reason }: Unlisted) => ({ table, reason })
    expect(withCause(closed, { binding: {}, unknownForms: ['page number'] })).toEqual(shown(closed))
    expect(withCause(repeated, { binding: {}, explored })).toEqual(shown(repeated))
    expect(withCause(rejected, { binding: { 'list.page': 'pageNo' } })).toEqual(shown(rejected))
  })
})
