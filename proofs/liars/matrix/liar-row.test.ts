/** What counts as named in a report, and what a run did to records that are not its own. */

import { describe, expect, it } from 'vitest'
import { createReference } from '../../../reference/reference.ts'
import { ForeignRecords } from '../foreign-records.ts'
import { unnamedOf } from './liar-row.ts'

const nameOf = (table: string) => (table === 'notes_id' ? 'notes' : table)
const records = [
  { table: 'notes', id: 'a', text: '{"title":"title-abcdef001"}' },
  { table: 'notes', id: 'b', text: '{"title":"title-abcdef002"}' },
]

describe('a record that is left is named', () => {
  it.each<[string, { table: string; id: string; reason: string }[], string[]]>([
    ['by nothing', [], ['notes/a', 'notes/b']],
    ['by its id', [{ table: 'notes', id: 'a', reason: '' }], ['notes/b']],
    [
      'by its id, where the table is called by its own',
      [{ table: 'notes_id', id: 'b', reason: '' }],
      ['notes/a'],
    ],
    ['by no entry of another table', [{ table: 'other', id: 'a', reason: '' }], ['notes/a', 'notes/b']],
    [
      'by the string that an entry without an id quotes',
      [{ table: 'notes', id: 'unknown', reason: 'no response came (title title-abcdef002)' }],
      ['notes/a'],
    ],
    [
      'by the string that an entry with the id of another record quotes',
      [{ table: 'notes', id: 'x', reason: 'it is not proven to be this run’s (title title-abcdef002)' }],
      ['notes/a'],
    ],
    [
      'by an entry without an id, one record each',
      [{ table: 'notes', id: 'unknown', reason: '' }],
      ['notes/b'],
    ],
  ])('%s', (_, entries, unnamed) => {
    expect(unnamedOf(records, entries, nameOf)).toEqual(unnamed)
  })
})

describe('foreign records', () => {
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'files', type: 'file' as const, maxSelect: 2 },
  ]

  async function world() {
    const reference = createReference({ tables: [{ name: 'notes', fields }], seed: 1 })
    const files = [new File(['hello'], 'hello.txt')]
    const [first, second] = [
      await reference.records.create('notes', { title: 'one', files }),
      await reference.records.create('notes', { title: 'two' }),
    ]
    return { reference, foreign: new ForeignRecords(reference), first, second }
  }

  it('are compared by every value, files included', async () => {
    const { reference, foreign, first, second } = await world()
    expect(foreign.damage()).toEqual({ lost: [], changed: [] })
    await reference.records.update('notes', first.id, { files: [] })
    await reference.records.delete('notes', second.id)
    expect(foreign.damage()).toEqual({ lost: [`notes/${second.id}`], changed: [`notes/${first.id}`] })
  })

  it('are not those that came later', async () => {
    const { reference, foreign, first } = await world()
    const { id } = await reference.records.create('notes', { title: 'three' })
    expect(foreign.others()).toMatchObject([{ table: 'notes', id }])
    expect([foreign.has('notes', id), foreign.has('NOTES', first.id)]).toEqual([false, true])
    foreign.addedByServer('notes', id)
    expect(foreign.others()).toEqual([])
    await reference.records.delete('notes', id)
    expect(foreign.damage().lost).toEqual([`notes/${id}`])
  })

  it('are not what the server changed itself', async () => {
    const { reference, foreign, first, second } = await world()
    foreign.changedByServer('notes', first.id)
    await reference.records.update('notes', first.id, { title: 'three' })
    expect(foreign.others()).toEqual([])
    await reference.records.delete('notes', first.id)
    expect([foreign.damage(), foreign.byServer]).toEqual([{ lost: [], changed: [] }, 1])
    expect(foreign.next('notes')).toBe(second.id)
  })
})
