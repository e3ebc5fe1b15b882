import { expect, it } from 'vitest'
import { createReference, type FieldType, type TableInput } from '../reference.ts'

const fields = [
  { name: 'amount', type: 'number' },
  { name: 'done', type: 'bool' },
  { name: 'day', type: 'date' },
  { name: 'place', type: 'geoPoint' },
] as const
const seeded = (row: object) =>
  createReference({ tables: [{ name: 'posts', fields }], records: { posts: [row] as never } })

it.each([
  { amount: 1.5, done: true, day: '2030-01-31' },
  { amount: '1.5', done: 'true', day: new Date(0) },
  { amount: '', done: 0, day: '' },
  { amount: null, done: null, day: null },
  { created: '2030-01-31 12:00:00.000Z' },
  { place: { lon: 8.5, lat: 47.4 } },
  { place: '{"lon":8.5,"lat":47.4}' },
  { place: { lon: 0, lat: 0 } },
])('accepts %j', (row) => {
  expect(() => seeded(row)).not.toThrow()
})

it.each([
  [{ amount: 'abc' }, '"amount" of table "posts" must be a number, not "abc".'],
  [{ amount: ' 5 ' }, '"amount" of table "posts" must be a number, not " 5 ".'],
  [{ amount: [1] }, '"amount" of table "posts" must be a number, not [1].'],
  [{ done: 'maybe' }, '"done" of table "posts" must be true or false, not "maybe".'],
  [{ day: 'garbage' }, '"day" of table "posts" must be a date'],
  [{ day: '2030-02-31' }, '"day" of table "posts" must be a date'],
  [{ place: 'x' }, '"place" of table "posts" must be a point such as {"lon": 8.54, "lat": 47.37}, not "x".'],
  [{ place: { lon: '8.5', lat: 47.4 } }, '"place" of table "posts" must be a point'],
])('rejects %j in a seed, in make and in records', async (row, message) => {
  expect(() => seeded(row)).toThrow(message)
  const reference = seeded({ id: 'post00000000001' })
  await expect(reference.make('posts', 1, row as never)).rejects.toThrow(message)
  await expect(reference.records.create('posts', row as never)).rejects.toThrow(message)
  await expect(reference.records.update('posts', 'post00000000001', row as never)).rejects.toThrow(message)
  expect(reference.records.count('posts')).toBe(1)
})

const bytes = 'must be a File or Blob: new File([bytes], "name.txt"), not'

it.each<[FieldType, unknown, string]>([
  ['text', { a: 1 }, 'must be a string, not {"a":1}.'],
  ['text', ['x'], 'must be a string, not ["x"].'],
  ['text', new Map(), 'must be a string, not a Map.'],
  ['email', ['a@example.com'], 'must be a string, not ["a@example.com"].'],
  ['url', new URL('http://a.test'), 'must be a string, not a URL.'],
  ['editor', { html: '' }, 'must be a string, not {"html":""}.'],
  ['password', ['password1234'], 'must be a string, not ["password1234"].'],
  ['number', Buffer.from('1'), 'must be a number, not a Buffer.'],
  ['bool', {}, 'must be true or false, not {}.'],
  ['date', ['2030-01-31'], 'must be a date such as "2030-01-31 12:00:00.000Z", not ["2030-01-31"].'],
  ['geoPoint', [1, 2], 'must be a point such as {"lon": 8.54, "lat": 47.37}, not [1,2].'],
  ['select', { value: 'x' }, 'must be a string, or an array of strings, not {"value":"x"}.'],
  ['select', ['x', ['x']], 'must be a string, or an array of strings, not ["x"].'],
  ['relation', { name: 'x' }, 'must be an id or a record, or an array of them, not {"name":"x"}.'],
  ['relation', [{}], 'must be an id or a record, or an array of them, not {}.'],
  ['file', Buffer.from('hey'), `${bytes} a Buffer.`],
  ['file', new Uint8Array([1]), `${bytes} a Uint8Array.`],
  ['file', [new File(['x'], 'a.txt'), new ArrayBuffer(1)], `${bytes} an ArrayBuffer.`],
  ['file', { name: 'a.txt', content: 'x' }, `${bytes} {"name":"a.txt","content":"x"}.`],
])(
  'rejects for a field of type %s the value %o, which would become its zero value',
  async (type, value, message) => {
    const more =
      type === 'select' ? { values: ['x', 'y', 'z'] } : type === 'relation' ? { collectionId: 'things' } : {}
    const reference = createReference({
      tables: [
        {
          id: 'things',
          name: 'things',
          fields: [{ name: 'f', type, ...more, ...(message.includes('array') && { maxSelect: 3 }) }],
        } as TableInput,
      ],
      records: { things: [{ id: 'thing0000000001' }] },
    })
    const whole = `"f" of table "things" ${message}`
    await expect(reference.records.create('things', { f: value })).rejects.toThrow(whole)
    await expect(reference.records.update('things', 'thing0000000001', { f: value })).rejects.toThrow(whole)
    await expect(reference.make('things', 1, { f: value })).rejects.toThrow(whole)
  },
)

it('keeps a stored file when the value for another one is rejected, with and without a modifier', async () => {
  const tables = [{ name: 'notes', fields: [{ name: 'f', type: 'file', maxSelect: 2 }] }] as const
  const { records } = createReference({ tables })
  const { id, f } = await records.create('notes', { f: new File(['x'], 'hello.txt') })
  for (const key of ['f', 'f+', '+f'])
    await expect(records.update('notes', id, { [key]: Buffer.from('new') })).rejects.toThrow(
      `"${key}" of table "notes" ${bytes} a Buffer.`,
    )
  expect(await records.find('notes', id)).toMatchObject({ f })
})

it('accepts records as relations in a seed, as in records and make', () => {
  const tables = [
    {
      id: 'notes_table0001',
      name: 'notes',
      fields: [{ name: 'next', type: 'relation', collectionId: 'notes_table0001' }],
    },
  ] as const
  const first = { id: 'note00000000001' }
  const notes = [first, { id: 'note00000000002', next: first }]
  expect(() => createReference({ tables, records: { notes } })).not.toThrow()
})

it('says in the log what a request lost, and responds as before', async () => {
  const tables = [
    {
      name: 'notes',
      createRule: '',
      fields: [
        { name: 't', type: 'text' },
        { name: 'f', type: 'file' },
      ],
    },
  ]
  const reference = createReference({ tables: tables as TableInput[] })
  const response = await reference.fetch('/api/v1/collections/notes/records', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"t":{"a":1},"f":{}}',
  })
  expect([response.status, await response.json()]).toMatchObject([200, { t: '', f: '' }])
  expect(reference.requests.last()?.reason).toEqual([
    '"t" of "notes" takes a string: {"a":1} was stored as "".',
    '"f" of "notes" takes a file of a form, or the name of a stored file: {} was stored as "".',
  ])
})
