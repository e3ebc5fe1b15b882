import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('relation', async () => {
  const single = await oneField({ name: 'f', type: 'relation', collectionId: 'other_id' })
  const multiple = await oneField({
    name: 'f',
    type: 'relation',
    collectionId: 'other_id',
    minSelect: 2,
    maxSelect: 3,
  })

  it('stores an id or a list of ids', () => {
    expect(single.stored(['one', 'two'])).toBe('two')
    expect(multiple.stored(['one', 'two', 'one'])).toEqual(['one', 'two'])
    expect(multiple.stored(null)).toEqual([])
  })

  it.each([
    [[], undefined],
    [['one', 'two'], undefined],
    [
      ['one'],
      { code: 'validation_not_enough_values', message: 'Select at least 2.', params: { minSelect: 2 } },
    ],
    [
      ['a', 'b', 'c', 'd'],
      { code: 'validation_too_many_values', message: 'Select no more than 3.', params: { maxSelect: 3 } },
    ],
    [
      ['one', 'none'],
      {
        code: 'validation_missing_rel_records',
        message: 'Failed to find all relation records with the provided ids.',
      },
    ],
  ])('checks %j', (input, error) => {
    expect(multiple.error(input)).toEqual(error)
  })

  it('must not be empty when required', async () => {
    const mandatory = await oneField({
      name: 'f',
      type: 'relation',
      collectionId: 'other_id',
      required: true,
    })
    expect(mandatory.error('')?.code).toBe('validation_required')
    expect(mandatory.error('one')).toBeUndefined()
  })
})
