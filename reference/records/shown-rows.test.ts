import { expect, it } from 'vitest'
import { call } from '../../test/support/reference-call.ts'
import { createReference, type Reference } from '../reference.ts'

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '' }
const long = 'x'.repeat(3000)

function notes() {
  return createReference({
    superusers: [{ email: 'root@example.com', password: 'secret1234' }],
    tables: [
      {
        name: 'notes',
        ...open,
        fields: [
          { name: 'title', type: 'text' },
          { name: 'body', type: 'text' },
          { name: 'tags', type: 'json' },
          { name: 'secret', type: 'text', hidden: true },
        ],
      },
    ],
    records: {
      notes: [
        { id: 'note00000000001', title: 'One', body: 'ä"\n', tags: ['a'], secret: 's1' },
        { id: 'note00000000002', title: 'Two', body: long, tags: { b: 1 }, secret: 's2' },
      ],
    },
  })
}

const list = (reference: Reference, query = '', token?: string) =>
  call(reference, `GET /collections/notes/records${query}`, undefined, { token })

it('shows a record the third time as the first', async () => {
  await using reference = notes()
  const texts = []
  for (let turn = 0; turn < 4; turn += 1) texts.push((await list(reference)).text)
  expect(new Set(texts).size).toBe(1)
  const views = []
  for (let turn = 0; turn < 3; turn += 1)
    views.push((await call(reference, 'GET /collections/notes/records/note00000000001')).text)
  expect(JSON.parse(views[2] as string)).toEqual(JSON.parse(texts[3] as string).items[0])
  expect(new Set(views).size).toBe(1)
})

it('shows each caller what it may see', async () => {
  await using reference = notes()
  const { token } = await reference.as('superuser')
  for (let turn = 0; turn < 4; turn += 1) {
    expect((await list(reference)).body.items[0]).not.toHaveProperty('secret')
    expect((await list(reference, '', token)).body.items[0]).toHaveProperty('secret', 's1')
    const { items } = (await list(reference, '?fields=title,tags')).body
    expect(items[1]).toEqual({ title: 'Two', tags: { b: 1 } })
  }
})

it('shows what was changed since: the record, or its table', async () => {
  await using reference = notes()
  for (let turn = 0; turn < 3; turn += 1) await list(reference)
  const change = { title: 'Changed' }
  await call(reference, 'PATCH /collections/notes/records/note00000000001', change)
  for (let turn = 0; turn < 3; turn += 1)
    expect((await list(reference)).body.items[0]).toMatchObject({ title: 'Changed', tags: ['a'] })
  const state = await reference.exportState()
  const own = state.tables.find(({ name }) => name === 'notes')
  const fields = own?.fields?.map((field) => (field.name === 'tags' ? { ...field, hidden: true } : field))
  const others = state.tables.filter((table) => table !== own)
  await reference.importState({ ...state, tables: [...others, { ...own, fields }] } as typeof state)
  for (let turn = 0; turn < 3; turn += 1)
    expect((await list(reference)).body.items[0]).not.toHaveProperty('tags')
})

it('gives code records of its own', async () => {
  await using reference = notes()
  for (let turn = 0; turn < 4; turn += 1) {
    const [first] = await reference.records.list('notes')
    Object.assign(first as object, { title: 'mine' })
  }
  expect((await list(reference)).body.items[0].title).toBe('One')
})

it('shows an address only to those who may see it, each time', async () => {
  await using reference = createReference({
    superusers: [{ email: 'root@example.com', password: 'secret1234' }],
    tables: [{ name: 'members', type: 'auth', ...open }],
    records: { members: [{ id: 'member000000001', email: 'a@example.com', password: 'secret1234' }] },
  })
  const { body } = await call(reference, 'POST /collections/members/auth-with-password', {
    identity: 'a@example.com',
    password: 'secret1234',
  })
  for (let turn = 0; turn < 4; turn += 1) {
    const emails = []
    for (const caller of [{}, { token: body.token }, await reference.as('superuser')]) {
      const shown = await call(reference, 'GET /collections/members/records', undefined, caller)
      emails.push(shown.body.items[0].email)
    }
    expect(emails).toEqual([undefined, 'a@example.com', 'a@example.com'])
  }
})

it('counts the characters of a response the same, kept or not', async () => {
  const names = Array.from({ length: 30 }, (_, at) => ({ title: `n${at}` }))
  const sized = (most: number) =>
    createReference({
      tables: [{ name: 'notes', ...open, fields: [{ name: 'title', type: 'text' }] }],
      records: { notes: names },
      limits: { responseLength: most },
    })
  const whole = (await list(sized(100_000))).text
  for (let most = whole.length - 100; most <= whole.length; most += 1) {
    await using reference = sized(most)
    const statuses = []
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await list(reference)).status)
    expect(new Set(statuses).size, `at most ${most}: ${statuses}`).toBe(1)
  }
})

it('shows long values the same each time', async () => {
  await using reference = notes()
  for (const tags of ['x'.repeat(50_000), ['x'.repeat(50_000)], { a: 'x'.repeat(50_000) }]) {
    await call(reference, 'PATCH /collections/notes/records/note00000000001', { tags })
    const texts = []
    for (let turn = 0; turn < 4; turn += 1) texts.push((await list(reference)).text)
    expect(new Set(texts).size).toBe(1)
  }
})

it('a record with the keys of a list is not one', async () => {
  const fields = [
    { name: 'items', type: 'json' },
    { name: 'totalItems', type: 'number' },
    { name: 'title', type: 'text' },
  ] as const
  await using reference = createReference({ tables: [{ name: 'orders', ...open, fields }] })
  const body = { title: 't', items: [{ id: 9, qty: 2 }], totalItems: 3 }
  const { id = '' } = await reference.records.create('orders', body)
  const view = await call(reference, `GET /collections/orders/records/${id}?fields=id,title`)
  expect(view.body).toEqual({ id, title: 't' })
  const page = await call(reference, 'GET /collections/orders/records?fields=items')
  expect(page.body).toMatchObject({ items: [{ items: body.items }], totalItems: 1 })
})
