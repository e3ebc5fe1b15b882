/**
 * What the expensive requests meet: a table of 10,000 records, and tables that refer to each other.
 *
 * @module
 */

import type { ReferenceOptions } from '../../../reference/options.ts'

const records = 10_000
export const megabyte = 1024 * 1024
/** Largest body of the routes that have no larger one. */
export const mostBytes = 32 * megabyte

export const id = (at: number) => `r${String(at).padStart(14, '0')}`
export const asJson = { 'content-type': 'application/json' }
export const asForm = { 'content-type': 'application/x-www-form-urlencoded' }

const text = (name: string) => ({ name, type: 'text' as const })
const relation = (name: string, collectionId: string, maxSelect: number) => ({
  name,
  type: 'relation' as const,
  collectionId,
  maxSelect,
})

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
const tableId = (name: string) => `table_${name}`.padEnd(15, '_')

/** Tables and records that the requests meet. */
export function expensiveWorld(): ReferenceOptions {
  const notes = tableId('notes')
  return {
    seed: 1,
    passwordCost: 4,

    tables: [
      {
        ...open,
        id: notes,
        name: 'notes',
        fields: [
          text('title'),
          { ...text('long'), max: 10_000 },
          { ...text('word'), max: 50_000_000, pattern: '^(a+)+$' },
          { name: 'mail', type: 'email' },
          { name: 'site', type: 'url' },
          { name: 'at', type: 'date' },
          { name: 'n', type: 'number' },
          { name: 'done', type: 'bool' },
          { name: 'data', type: 'json' },
          { name: 'page', type: 'editor' },
          { name: 'place', type: 'geoPoint' },
          {
            name: 'tags',
            type: 'select',
            maxSelect: 50,
            values: Array.from({ length: 50 }, (_, at) => `t${at}`),
          },
          { name: 'files', type: 'file', maxSelect: 99, maxSize: 5 * megabyte },
          relation('up', notes, 1),
          relation('kids', notes, 100),
        ],
      },
      {
        ...open,
        id: tableId('docs'),
        name: 'docs',
        fields: [text('title'), { name: 'page', type: 'editor' }, { name: 'data', type: 'json' }],
      },
      { ...open, id: tableId('wild'), name: 'wild', fields: [{ name: 'page', type: 'editor' }] },
      {
        ...open,
        id: tableId('few'),
        name: 'few',
        fields: [text('title'), relation('kids', tableId('few'), 100)],
      },
      {
        ...open,
        id: tableId('ruled'),
        name: 'ruled',
        createRule: '@collection.notes.title ?= title || @collection.notes.long ?~ title',
        updateRule: 'notes.kids.kids.kids.kids.title != "x"',
        fields: [text('title'), relation('notes', notes, 100)],
      },
      {
        ...open,
        id: tableId('people'),
        name: 'people',
        type: 'auth',
        otp: { enabled: true },
        mfa: { enabled: false },
        fields: [text('name'), { name: 'password', type: 'password', cost: 14 }],
      },
    ],
    records: {
      _superusers: [{ id: 'root00000000001', email: 'root@example.com', password: 'root-secret-1' }],
      notes: Array.from({ length: records }, (_, at) => ({
        id: id(at),
        title: `Title ${at}`,
        long: at < 3000 ? `${'a'.repeat(4980)}${at}` : '',
        mail: `a${at}@example.com`,
        n: at,
        at: '2024-01-02 03:04:05.678Z',
        data: { a: { b: [at, 'x'] }, list: [1, 2, 3] },
        page: `<p>Page <b>${at}</b></p>`,
        place: { lon: at % 180, lat: at % 90 },
        tags: [`t${at % 50}`, 't1'],
        up: id(at % 10),
        kids: Array.from({ length: at < 1000 ? 30 : 2 }, (_, kid) => id((at * 31 + kid * 7) % records)),
      })),
      few: Array.from({ length: 30 }, (_, at) => ({
        id: id(at),
        title: `t${at}`,
        kids: Array.from({ length: 30 }, (_, kid) => id(kid)),
      })),
      docs: [
        {
          id: id(1),
          title: 'one',
          page: 'aé'.repeat(megabyte),
          data: Array.from({ length: 300_000 }, () => 1),
        },
        { id: id(2), title: 'two', page: 'aB'.repeat(2 * megabyte), data: '<'.repeat(900_000) },
        {
          id: id(3),
          title: 'three',
          page: '<p title="'.repeat(400_000),
          data: Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`k${at}`, 1])),
        },
        {
          id: id(4),
          title: 'four',
          page: '<script></script '.repeat(250_000),
          data: ['a'.repeat(1_000_000)],
        },
        { id: id(5), title: 'five', page: '&amp;<!--x-->'.repeat(300_000), data: 1 },
        { id: id(6), title: 'six', page: 'a'.repeat(4 * megabyte), data: 1 },
      ],
      wild: [{ id: id(1), page: 'a%'.repeat(megabyte) }],
      ruled: [{ id: id(1), title: 'x', notes: Array.from({ length: 100 }, (_, at) => id(at)) }],
      people: [
        { id: id(1), email: 'ann@example.com', password: 'secret-1234', passwordConfirm: 'secret-1234' },
      ],
    },
  }
}
