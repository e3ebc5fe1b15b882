import { expect, test } from 'vitest'
import { smallReader, smallScope, smallTable } from '../../test/query/small-world.ts'
import type { Environment } from '../vocabulary.ts'
import { QueryError } from './query-error.ts'
import { type ListSelection, selectPage } from './select-page.ts'

const group = smallTable({
  name: 'group',
  listRule: 'name != "closed"',
  fields: [{ type: 'text', name: 'name' }],
})
const item = smallTable({
  name: 'item',
  fields: [
    { type: 'text', name: 't' },
    { type: 'number', name: 'n' },
    { type: 'json', name: 'j' },
    { type: 'relation', name: 'group', collectionId: 'id_group' },
    { type: 'text', name: 'hid', hidden: true },
  ],
})
const user = smallTable({
  name: 'user',
  type: 'auth',
  fields: [
    { type: 'email', name: 'email' },
    { type: 'bool', name: 'emailVisibility' },
  ],
})
const reader = smallReader([group, item, user], {
  group: [
    { id: 'g0', name: 'b' },
    { id: 'g1', name: 'a' },
    { id: 'g2', name: 'closed' },
  ],
  item: [
    { id: 'i0', t: 'b', n: 1, j: { k: 2 }, group: 'g0', hid: '' },
    { id: 'i1', t: 'B', n: 10, j: { k: 'x' }, group: 'g1', hid: '' },
    { id: 'i2', t: '', n: -2, j: null, group: '', hid: '' },
    { id: 'i3', t: 'é', n: 1, j: { k: 1 }, group: 'g2', hid: '' },
    { id: 'i4', t: '😀', n: 2.5, j: [], group: 'g1', hid: '' },
  ],
  user: [{ id: 'u0', email: 'a@x.y', emailVisibility: false }],
})
const environment: Environment = {
  now: () => 0,
  random: (alphabet, length) => alphabet.charAt(3).repeat(length),
  newId: () => '',
  passwordCost: 1,
}

async function select(changes: Partial<Omit<ListSelection, 'scope'>> & { superuser?: boolean } = {}) {
  const { superuser = false, ...rest } = changes
  const pagination = { page: 1, perPage: 30, skipTotal: false }
  const scope = smallScope(reader, item, { superuser })
  const page = await selectPage(item, {
    rule: '',
    filter: '',
    sort: '',
    paging: pagination,
    scope,
    environment,
    ...rest,
  })
  return { ...page, rows: page.rows.map((row) => row.id.slice(1)).join('') }
}

test.each([
  ['', '01234'],
  ['t', '21034'],
  ['-t', '43012'],
  ['n,t', '20341'],
  ['-n, +t', '14032'],
  ['@rowid', '01234'],
  ['-@rowid', '43210'],
  ['-@rowid,t', '43210'],
  ['-@rowid,group.name', '4210'],
  ['n,-@rowid', '23041'],
  ['j.k', '24301'],
  ['t:lower', '20134'],
  ['group.name', '2140'],
  ['-group.name', '0142'],
  ['@random', '01234'],
  ['id', '01234'],
  ['-id,t', '43210'],
  ['-id,group.name', '4210'],
  ['n,-id', '23041'],
])('sort=%s', async (sort, ids) => {
  expect((await select({ sort })).rows).toBe(ids)
})

test.each([
  'n,',
  ',',
  '-',
  '--n',
  '+-n',
  'N',
  'hid',
  '@now',
  'null',
  "'x'",
  'collectionId',
  'expand',
  'x'.repeat(256),
  'n,n,n,n,n,n,n,n,n',
])('sort=%s is rejected', async (sort) => {
  await expect(select({ sort })).rejects.toThrow(QueryError)
})

test('hidden emails do not order a list; superusers may sort by anything', async () => {
  const pagination = { page: 1, perPage: 30, skipTotal: false }
  const by = (superuser: boolean) => {
    const scope = smallScope(reader, user, { superuser })
    return selectPage(user, { rule: '', filter: '', sort: 'email', paging: pagination, scope, environment })
  }
  await expect(by(false)).rejects.toThrow(QueryError)
  expect((await by(true)).rows).toHaveLength(1)
  expect((await select({ sort: 'hid,-group.name', superuser: true })).rows).toBe('30142')
})

test.each([
  [1, 2, '', '01', 5, 3],
  [2, 2, '', '23', 5, 3],
  [3, 2, '', '4', 5, 3],
  [9, 2, '', '', 5, 3],
  [2 ** 63, 1000, '', '', 5, 1],
  [2 ** 63, 1000, 'n', '', 5, 1],
  [2, 2, 'n', '34', 5, 3],
])('page %d of %d, sort=%s', async (page, perPage, sort, ids, totalItems, totalPages) => {
  const pagination = { page, perPage, skipTotal: false }
  expect(await select({ paging: pagination, sort })).toEqual({ rows: ids, totalItems, totalPages })
})

test.each([
  ['@rowid', [0, 1, 2]],
  ['-@rowid', [4999, 4998, 4997]],
  ['-@rowid,n', [4999, 4998, 4997]],
  ['id', [0, 1, 10]],
  ['-id', [999, 998, 997]],
  ['+id,-n', [0, 1, 10]],
])('sort=%s asks no more rows than the page shows', async (sort, wanted) => {
  const rows = Array.from({ length: 5000 }, (_, at) => ({ id: `m${at}`, n: 0 }))
  const world = smallReader([group, item, user], { item: rows })
  let asked = 0
  const counting = {
    ...world,
    *scan(...args: Parameters<typeof world.scan>) {
      for (const row of world.scan(...args)) {
        asked += 1
        yield row
      }
    },
  }
  const pagination = { page: 1, perPage: 3, skipTotal: false }
  const selection = {
    rule: '',
    filter: '',
    sort,
    paging: pagination,
    scope: smallScope(counting, item),
    environment,
  }
  const page = await selectPage(item, selection)
  expect(page.rows.map((row) => row.id)).toEqual(wanted.map((at) => `m${at}`))
  expect(page.totalItems).toBe(5000)
  expect(asked).toBe(3)
})

test.each([
  ['@rowid', '124'],
  ['-@rowid', '421'],
  ['id', '124'],
  ['-id', '421'],
])('sort=%s holds for rows that a key finds, too', async (sort, ids) => {
  expect((await select({ sort, filter: "id = 'i4' || id = 'i1' || id = 'i2'" })).rows).toBe(ids)
})

test('rows that a key finds are sorted by id, however they were inserted', async () => {
  const world = smallReader([group, item, user], {
    group: [{ id: 'g0', name: 'b' }],
    item: ['c', 'a', 'b'].map((id) => ({ id, group: 'g0' })),
  })
  const pagination = { page: 1, perPage: 2, skipTotal: false }
  const selection = {
    rule: '',
    filter: "group = 'g0'",
    paging: pagination,
    scope: smallScope(world, item),
    environment,
  }
  const ids = async (sort: string) =>
    (await selectPage(item, { ...selection, sort })).rows.map(({ id }) => id)
  expect([await ids('id'), await ids('-id'), await ids('@rowid')]).toEqual([
    ['a', 'b'],
    ['c', 'b'],
    ['c', 'a'],
  ])
  expect(world.scans).toBe(0)
})

test('rule and filter both narrow; null shows nothing', async () => {
  expect(await select({ rule: 'n > 0', filter: "t != 'B'" })).toEqual({
    rows: '034',
    totalItems: 3,
    totalPages: 1,
  })
  expect(await select({ rule: null })).toEqual({ rows: '', totalItems: 0, totalPages: 0 })
  expect((await select({ rule: null, superuser: true })).totalItems).toBe(5)
  await expect(select({ filter: ' ' })).rejects.toThrow(QueryError)
})

test('skipTotal counts nothing', async () => {
  const pagination = { page: 1, perPage: 2, skipTotal: true }
  expect(await select({ paging: pagination, filter: 'n > 0' })).toEqual({
    rows: '01',
    totalItems: -1,
    totalPages: -1,
  })
})

const many = Array.from({ length: 3000 }, (_, at) => ({
  id: `m${at}`,
  t: `${(at * 104_729) % 3001}`,
  n: (at * 7919) % 1000,
  j: null,
  group: `g${at % 3}`,
  hid: '',
}))
const groups = [
  { id: 'g0', name: 'b' },
  { id: 'g1', name: 'a' },
  { id: 'g2', name: 'closed' },
]

test.each([
  ['-n', ''],
  ['n,-t', 'n < 500'],
  ['-group.name,n', ''],
  ['-id', "t ~ '1'"],
])('pages of a long list by %s where %s are parts of the whole', async (sort, filter) => {
  const world = smallReader([group, item, user], { item: many, group: groups })
  const scope = smallScope(world, item)
  const page = (number: number, perPage: number) => {
    const pagination = { page: number, perPage, skipTotal: false }
    return selectPage(item, { rule: '', filter, sort, scope, environment, paging: pagination })
  }
  const whole = await page(1, 5000)
  expect(whole.rows.length).toBe(whole.totalItems)
  const totals = { totalItems: whole.totalItems, totalPages: Math.ceil(whole.totalItems / 170) }
  for (let number = 1; number <= 20; number += 1) {
    const rows = whole.rows.slice((number - 1) * 170, number * 170)
    expect(await page(number, 170)).toEqual({ ...totals, rows })
  }
})

test("a further key is read of rows only whose first one is another row's, too", async () => {
  let read = 0
  const rows = many.map(({ n: _, ...rest }) => ({
    ...rest,
    get n() {
      read += 1
      return 0
    },
  }))
  const world = smallReader([group, item, user], { item: rows })
  const pagination = { page: 1, perPage: 30, skipTotal: false }
  const selection = { rule: '', filter: '', paging: pagination, scope: smallScope(world, item), environment }
  expect((await selectPage(item, { ...selection, sort: 't,n' })).rows).toHaveLength(30)
  expect(read).toBe(0)
})
