import { describe, expect, it } from 'vitest'
import { createReferenceInTurns } from '../create-reference.ts'
import { createReference, type TableInput } from '../reference.ts'

const cases: readonly [string, Record<string, unknown>, string][] = [
  [
    'unique',
    { fields: [{ name: 'a', type: 'text', unique: true }] },
    '"unique" of field "a" of table "notes" has no effect: use indexes: [\'CREATE UNIQUE INDEX idx_notes_a ON notes (a)\'].',
  ],
  [
    'an option of other types',
    { fields: [{ name: 'a', type: 'text', maxSelect: 3 }] },
    '"maxSelect" of field "a" of table "notes" has no effect: only fields of type select, file and relation have it.',
  ],
  [
    'an option of auth tables',
    { otp: { enabled: true }, fields: [] },
    '"otp" of table "notes" has no effect: only auth tables have it.',
  ],
]

describe('options of tables without effect', () => {
  it.each(cases)('in code are errors: %s', (_name, given, message) => {
    const tables = [{ name: 'notes', ...given }] as unknown as TableInput[]
    expect(() => createReference({ tables })).toThrow(message)
  })

  it.each(cases)('in a data file are reported: %s', async (_name, given, message) => {
    const tables = [{ name: 'notes', ...given }] as unknown as TableInput[]
    expect((await createReferenceInTurns({ tables })).notices).toEqual([message])
  })

  it('are reported where newer servers may have them', () => {
    const tables = [{ name: 'notes', surprising: 1, fields: [{ name: 'a', type: 'text', odd: 1 }] }]
    expect(createReference({ tables: tables as TableInput[] }).notices).toEqual([
      '"surprising" of table "notes" has no effect: it is not an option here.',
      '"odd" of field "a" of table "notes" has no effect: it is not an option here.',
    ])
  })

  it('are absent where they are null or false, and where they belong', () => {
    const none = {
      name: 'notes',
      otp: null,
      fields: [{ name: 'a', type: 'text', unique: false, values: null }],
    }
    const all = { name: 'users', type: 'auth', otp: { enabled: true }, authRule: '', fields: [] }
    expect(createReference({ tables: [none, all] as unknown as TableInput[] }).notices).toEqual([])
  })
})
