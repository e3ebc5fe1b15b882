import { describe, expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { addTables } from '../tables/add-tables.ts'
import type { Reader, Row, StoredOrder, Table, Values, Writer } from '../vocabulary.ts'
import { indexKey } from './index-key.ts'
import { StateRestored } from './state-restored.ts'
import { Store } from './store.ts'
import { UniqueViolation } from './unique-violation.ts'

/** A store with one table, `title` and unique indexes of every sort, and a table `child` that refers to it. */
function makeStore(): { store: Store; table: Table; child: Table } {
  const store = new Store()
  const [table, child] = addTables(store, [
    {
      id: 'parents',
      name: 'parent',
      fields: [
        { name: 'code', type: 'text' },
        { name: 'nick', type: 'text' },
        { name: 'group', type: 'text' },
        { name: 'slot', type: 'number' },
        { name: 'flag', type: 'bool' },
      ],
      indexes: [
        'CREATE UNIQUE INDEX by_code ON parent (code) WHERE flag = TRUE',
        "CREATE UNIQUE INDEX by_nick ON parent (nick COLLATE NOCASE) WHERE nick != ''",
        'CREATE UNIQUE INDEX by_slot ON parent (`group`, `slot`) WHERE slot > 0',
      ],
    },
    {
      name: 'child',
      fields: [
        { name: 'one', type: 'relation', collectionId: 'parents' },
        { name: 'many', type: 'relation', collectionId: 'parents', maxSelect: 9 },
      ],
    },
  ])
  if (!table || !child) throw new Error('no tables')
  return { store, table, child }
}

function values(id: string, more: Values = {}): Values {
  return { id, code: '', nick: '', group: '', slot: 0, flag: false, ...more }
}

it('records are walked from the last one, too', async () => {
  const { store, table } = makeStore()
  await store.transaction((tx) => {
    for (let at = 0; at < 100; at += 1) tx.insert(table, values(`r${at}`))
  })
  const ids = (order: StoredOrder) => [...store.current.scan(table, order)].map((row) => row.id)
  expect(ids('-rowid')).toEqual(ids('rowid').reverse())
})

describe('walked by id', () => {
  const idsOf = (reader: Reader, table: Table, order: StoredOrder) =>
    [...reader.scan(table, order)].map((row) => row.id)

  it('shows each moment as it was, and a transaction its own writes', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => {
      for (const id of ['m', 'c', 'x']) tx.insert(table, values(id))
    })
    const before = store.current
    await store.transaction((tx) => {
      for (const id of ['d', 'a', 'z']) tx.insert(table, values(id))
      const [c, x] = [tx.get(table, 'c'), tx.get(table, 'x')]
      if (c) tx.remove(table, c)
      if (x) tx.replace(table, x, values('b'))
      expect(idsOf(tx, table, 'id').join('')).toBe('abdmz')
      expect(idsOf(tx, table, '-id').join('')).toBe('zmdba')
      expect(idsOf(store.current, table, 'id').join('')).toBe('cmx')
    })
    expect(idsOf(before, table, '-id').join('')).toBe('xmc')
    expect(idsOf(store.current, table, 'id').join('')).toBe('abdmz')
    expect([...store.current.scan(table, 'id')].map(({ values: { id } }) => id).join('')).toBe('abdmz')
  })

  it('shows what was written since all rows were read, in the transaction and after it', async () => {
    const { store, table } = makeStore()
    const ids = (reader: Reader) => [...reader.scan(table)].map(({ id }) => id).join('')
    await store.transaction((tx) => {
      for (const id of ['a', 'b', 'c']) tx.insert(table, values(id))
      expect(ids(tx)).toBe('abc')
    })
    const before = store.current
    for (const _ of [1, 2]) expect(ids(before)).toBe('abc')
    await store.transaction((tx) => {
      expect(ids(tx)).toBe('abc')
      const open = tx.scan(table)[Symbol.iterator]()
      open.next()
      tx.insert(table, values('d'))
      // Reads the rest of the rows as they were.
      while (open.next().done !== true);
      expect(ids(tx)).toBe('abcd')
      tx.remove(table, tx.get(table, 'a') as Row)
      expect(ids(tx)).toBe('bcd')
      tx.replace(table, tx.get(table, 'b') as Row, values('e'))
      expect(ids(tx)).toBe('ecd')
    })
    expect([ids(before), ids(store.current)]).toEqual(['abc', 'ecd'])
  })

  it('uses the order of UTF-8 bytes if ids may contain any characters', async () => {
    const store = new Store()
    const [table] = addTables(store, [
      { name: 'free', fields: [{ name: 'id', type: 'text', primaryKey: true, pattern: '^.+$' }] },
    ])
    if (!table) throw new Error('no table')
    const given = ['\u{1f600}', '\uffee', 'Z', 'a', 'é', '\ud7ff', 'aa', '\u{1f600}a', '\ue000', 'B']
    await store.transaction((tx) => {
      for (const id of given) tx.insert(table, { id })
    })
    const byBytes = [...given].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(idsOf(store.current, table, 'id')).toEqual(byBytes)
    expect(idsOf(store.current, table, '-id')).toEqual(byBytes.reverse())
    for (const id of given) expect(store.current.get(table, id)?.id).toBe(id)
  })
})

describe('transaction', () => {
  it('shows its writes when it ends, and to itself immediately', async () => {
    const { store, table } = makeStore()
    const before = store.current
    await store.transaction((tx) => {
      tx.insert(table, values('a'))
      expect(tx.get(table, 'a')?.rowid).toBe(1)
      expect(store.current.get(table, 'a')).toBeUndefined()
    })
    expect(store.current.count(table)).toBe(1)
    expect(before.count(table)).toBe(0)
  })

  it('leaves no trace when it fails', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => tx.insert(table, values('a')))
    const failing = store.transaction(async (tx) => {
      tx.insert(table, values('b'))
      const row = tx.get(table, 'a')
      if (row) tx.remove(table, row)
      tx.putFile(table, 'a', 'x.txt', { bytes: new Uint8Array(), type: 'text/plain' })
      await Promise.resolve()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([...store.current.scan(table)].map(({ id }) => id)).toEqual(['a'])
    await store.transaction((tx) => {
      expect(tx.file(table, 'a', 'x.txt')).toBeUndefined()
      expect(tx.insert(table, values('c')).rowid).toBe(2)
    })
  })

  it('runs one after the other, in the order in which they were requested', async () => {
    const { store, table } = makeStore()
    const seen: number[] = []
    const run = (id: string, wait: number) =>
      store.transaction(async (tx) => {
        seen.push(tx.count(table))
        await new Promise((resolve) => setTimeout(resolve, wait))
        tx.insert(table, values(id))
      })
    await Promise.all([run('a', 5), run('b', 0), run('c', 1)])
    expect(seen).toEqual([0, 1, 2])
    expect([...store.current.scan(table)].map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('rejects nesting', async () => {
    const { store } = makeStore()
    const nested = store.transaction(async () => {
      await store.transaction(() => 1)
    })
    await expect(nested).rejects.toThrow('inside a transaction')
    await expect(store.transaction(() => 2)).resolves.toBe(2)
  })

  it('writes nothing after its end', async () => {
    const { store, table } = makeStore()
    let kept: Writer | undefined
    await store.transaction((tx) => {
      kept = tx
    })
    expect(() => kept?.insert(table, values('a'))).toThrow('This transaction is over')
  })
})

describe('unique indexes', () => {
  it.each([
    ['the id', { id: 'a' }, 'id', ['id']],
    ['one column, where the index covers both', { id: 'b', code: 'x', flag: true }, 'by_code', ['code']],
    ['letters of another case', { id: 'b', nick: 'ANN' }, 'by_nick', ['nick']],
    ['all columns of a composite index', { id: 'b', group: 'g', slot: 1 }, 'by_slot', ['group', 'slot']],
    [
      'by the index made last, where several object',
      { id: 'a', code: 'x', flag: true, nick: 'Ann' },
      'by_nick',
      ['nick'],
    ],
  ])('reject %s', async (_, clash, index, columns) => {
    const { store, table } = makeStore()
    await store.transaction((tx) =>
      tx.insert(table, values('a', { code: 'x', nick: 'Ann', group: 'g', slot: 1, flag: true })),
    )
    const failing = store.transaction((tx) => tx.insert(table, { ...values(''), ...clash }))
    await expect(failing).rejects.toThrow(UniqueViolation)
    await expect(failing).rejects.toMatchObject({ table: 'parent', index, columns })
  })

  it.each([
    ['a row that the index leaves out', { code: 'x' }],
    ['half of a composite index', { group: 'g', slot: 2 }],
    ['other letters', { nick: 'Änn' }],
  ])('accept %s', async (_, more) => {
    const { store, table } = makeStore()
    await store.transaction((tx) => {
      tx.insert(table, values('a', { code: 'x', nick: 'änn', group: 'g', slot: 1, flag: true }))
      tx.insert(table, values('b', more))
    })
    expect(store.current.count(table)).toBe(2)
  })

  it('free a value that is changed or removed, and keep a row that stays as it is', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => {
      const row = tx.insert(table, values('a', { nick: 'x' }))
      const same = tx.replace(table, row, values('a', { nick: 'X' }))
      const other = tx.replace(table, same, values('a', { nick: 'y' }))
      const second = tx.insert(table, values('b', { nick: 'x' }))
      tx.remove(table, second)
      tx.replace(table, other, values('a', { nick: 'x' }))
    })
    const index = table.uniqueIndexes.find(({ name }) => name === 'by_nick')
    expect(index && store.current.lookup(table, index, ['X'])?.id).toBe('a')
    expect(index && store.current.lookup(table, index, ['y'])).toBeUndefined()
  })
})

describe('the key of an index', () => {
  it.each([
    { field: 'f', through: 'trim', collation: 'BINARY' },
    { field: 'f', through: 'rtrim', collation: 'BINARY' },
    { field: 'f', collation: 'RTRIM' },
  ] as const)('takes time by the length of the text: %j', (column) => {
    const text = `a${' '.repeat(200_000)}x`
    const [key, ms] = timed(() => indexKey({ name: 'i', columns: [column] }, [`${text}  `]))
    expect(key).toBe(`t${text}`)
    expectWithin(ms, 5_000)
  })
})

describe('referrers', () => {
  it('finds single and multiple relations in insertion order, and follows changes', async () => {
    const { store, child } = makeStore()
    const [one, many] = [child.field('one'), child.field('many')]
    if (!one || !many) throw new Error('no fields')
    const referring = (id: string) => [...store.current.referrers(child, many, id)].map((row) => row.id)
    await store.transaction((tx) => {
      for (let at = 0; at < 12; at += 1) tx.insert(child, { id: `c${at}`, one: 'p', many: ['p', 'q'] })
    })
    expect([...store.current.referrers(child, one, 'p')].map(({ rowid }) => rowid)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
    await store.transaction((tx) => {
      for (const row of [...tx.scan(child)].slice(2)) tx.remove(child, row)
      const first = tx.get(child, 'c0')
      if (first) tx.replace(child, first, { id: 'c0', one: '', many: ['q'] })
    })
    expect(referring('p')).toEqual(['c1'])
    expect(referring('q')).toEqual(['c0', 'c1'])
    expect(referring('')).toEqual([])
  })
})

describe('files', () => {
  it('live and die with their record', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => {
      tx.insert(table, values('a'))
      tx.putFile(table, 'a', 'x.txt', { bytes: new Uint8Array([1]), type: 'text/plain' })
      tx.putFile(table, 'a', 'y.txt', { bytes: new Uint8Array([2]), type: 'text/plain' })
      tx.removeFile(table, 'a', 'y.txt')
    })
    await store.transaction((tx) => {
      expect(tx.file(table, 'a', 'x.txt')?.bytes).toEqual(new Uint8Array([1]))
      expect(tx.file(table, 'a', 'y.txt')).toBeUndefined()
      const row = tx.get(table, 'a')
      if (row) tx.remove(table, row)
      expect(tx.file(table, 'a', 'x.txt')).toBeUndefined()
    })
  })
})

describe('snapshot, restore and fork', () => {
  it('go back, tables included', async () => {
    const { store, table } = makeStore()
    const snapshot = store.snapshot()
    await store.transaction((tx) => tx.insert(table, values('a')))
    addTables(store, [{ name: 'later' }])
    store.restore(snapshot)
    expect(store.current.count(table)).toBe(0)
    expect(store.current.table('later')).toBeUndefined()
  })

  it('separate a fork from where it came', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => tx.insert(table, values('a')))
    const fork = store.fork()
    await fork.transaction((tx) => tx.insert(table, values('b')))
    await store.transaction((tx) => tx.insert(table, values('c')))
    expect([...fork.current.scan(table)].map(({ id }) => id)).toEqual(['a', 'b'])
    expect([...store.current.scan(table)].map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('discard a transaction that was under way', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => tx.insert(table, values('a')))
    const snapshot = store.snapshot()
    const running = store.transaction(async (tx) => {
      tx.insert(table, values('b'))
      store.restore(snapshot)
    })
    await expect(running).rejects.toThrow(StateRestored)
    expect(store.current.count(table)).toBe(1)
  })

  it('copy nothing: 10,000 records are shared, and one write copies only its path', async () => {
    const { store, table } = makeStore()
    await store.transaction((tx) => {
      for (let at = 0; at < 10_000; at += 1) tx.insert(table, values(`r${at}`))
    })
    const [, ms] = timed(() => {
      for (let round = 0; round < 1000; round += 1) store.restore(store.fork().snapshot())
    })
    const snapshot = store.snapshot()
    expectWithin(ms, 500)
    const row = store.current.get(table, 'r1')
    await store.transaction((tx) => tx.insert(table, values('more')))
    expect(store.current.get(table, 'r1')).toBe(row)
    store.restore(snapshot)
    expect(store.current.count(table)).toBe(10_000)
  })
})

describe('tables', () => {
  it('are found by name in any case and by exact id', () => {
    const { store, table } = makeStore()
    expect(store.current.table('PARENT')).toBe(table)
    expect(store.current.table('parents')).toBe(table)
    expect(store.current.table('Parents')).toBeUndefined()
  })

  it('cannot be added during a transaction, nor be read when they are not there', async () => {
    const { store } = makeStore()
    const adding = store.transaction(() => addTables(store, [{ name: 'later' }]))
    await expect(adding).rejects.toThrow('while a transaction runs')
    const stranger = makeStore().table
    expect(() => new Store().current.count(stranger)).toThrow('is not in this store')
  })
})
