import { describe, expect, it } from 'vitest'
import { oneField, stillEnvironment } from '../../test/support/one-field.ts'

describe('text', async () => {
  const plain = await oneField({ name: 'f', type: 'text' })

  it.each([
    [' as it is ', ' as it is '],
    [5, '5'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [-2.5, '-2.5'],
    [true, 'true'],
    [false, 'false'],
    [null, ''],
    [['a'], ''],
    [{ a: 1 }, ''],
    [undefined, ''],
  ])('stores %j as %j', (input, stored) => {
    expect(plain.stored(input)).toBe(stored)
  })

  const bounded = await oneField({ name: 'f', type: 'text', min: 2, max: 3, pattern: '^[a-zß]+$' })

  it.each([
    ['', undefined],
    ['ab', undefined],
    ['ßßß', undefined],
    [
      'a',
      {
        code: 'validation_min_text_constraint',
        message: 'Must be at least 2 character(s).',
        params: { min: 2 },
      },
    ],
    [
      'abcd',
      {
        code: 'validation_max_text_constraint',
        message: 'Must be no more than 3 character(s).',
        params: { max: 3 },
      },
    ],
    ['AB', { code: 'validation_invalid_format', message: 'Invalid value format.' }],
  ])('checks %j', (input, error) => {
    expect(bounded.error(input)).toEqual(error)
  })

  it('counts code points, 5000 of them when there is no max', () => {
    expect(plain.error('😀'.repeat(5000))).toBeUndefined()
    expect(plain.error('a'.repeat(5001))?.params).toEqual({ max: 5000 })
  })

  it('must not be blank when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'text', required: true })
    expect(mandatory.error('')).toEqual({ code: 'validation_required', message: 'Cannot be blank.' })
  })

  it('generates after what was sent', async () => {
    const generated = await oneField({ name: 'f', type: 'text', autogeneratePattern: '[a-z]{4}' })
    expect(generated.field.modifiers.autogenerate?.('', 'pre', stillEnvironment)).toBe('preaaaa')
    expect(plain.field.modifiers.autogenerate?.('', 'pre', stillEnvironment)).toBe('pre')
  })
})

describe('a record id with a pattern of its own', async () => {
  const { field } = await oneField({ name: 'id', type: 'text', min: 1, max: 30, pattern: '.+' })

  async function codeOf(id: string): Promise<string | undefined> {
    const { Store } = await import('../store/store.ts')
    const { addTables } = await import('../tables/add-tables.ts')
    const store = new Store()
    const [table] = addTables(store, [
      { name: 't', fields: [{ name: 'id', type: 'text', min: 1, max: 30, pattern: '.+' }] },
    ])
    if (!table) throw new Error('no table')
    await store.transaction((tx) => tx.insert(table, { id: 'Taken' }))
    return field.check(id, { reader: store.current, table })?.code
  }

  it.each([
    ['a-b', undefined],
    ['a/b', 'validation_forbidden_pk_character'],
    ['a b', 'validation_forbidden_pk_character'],
    ['CON', 'validation_reserved_pk'],
    ['lpt9', 'validation_reserved_pk'],
    ['tAKEN', 'validation_pk_invalid'],
  ])('%j gives %s', async (id, code) => {
    expect(await codeOf(id)).toBe(code)
  })
})

describe('the default record id', async () => {
  const id = await oneField({ name: 'id', type: 'text' })

  it.each([
    ['abcdefghijklmno', undefined],
    ['abc', 'validation_min_text_constraint'],
    ['abcdefghijklmnop', 'validation_max_text_constraint'],
    ['ABCDEFGHIJKLMNO', 'validation_invalid_format'],
  ])('%j gives %s', (input, code) => {
    expect(id.error(input)?.code).toBe(code)
  })

  it('never changes', () => {
    expect(id.error('b'.repeat(15), { stored: 'a'.repeat(15) })?.code).toBe('validation_pk_change')
    expect(id.error('a'.repeat(15), { stored: 'a'.repeat(15) })).toBeUndefined()
  })
})
