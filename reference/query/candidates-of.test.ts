import { describe, expect, test } from 'vitest'
import { data, item, kin, part, reader, shut, user } from '../../test/query/item-world.ts'
import { smallReader, smallScope, smallTable } from '../../test/query/small-world.ts'
import { Store } from '../store/store.ts'
import { addTables } from '../tables/add-tables.ts'
import type { Row, Table, Values } from '../vocabulary.ts'
import { compileFilter, optionsFor } from './compile.ts'
import type { Scope } from './scope.ts'

describe('keys instead of scans', () => {
  const scope: Scope = smallScope(reader, item)
  const candidates = (text: string): string | undefined => {
    const rows = compileFilter(text, optionsFor(scope, item, 'rule')).candidates(scope)
    return rows && [...rows].map((row) => row.id).join(' ')
  }
  test.each([
    ["id = 'i1'", 'i1'],
    ["'i1' = id && n > 0", 'i1'],
    ["r = 'k1'", 'i2'],
    ["r.id = 'k1'", 'i2'],
    ["rm.id ?= 'k0'", 'i1 i2'],
    ["rm:each ?= 'k1'", 'i2'],
    ["id = 'i3' || r = 'k0'", 'i1 i3'],
    ["kid_via_par.id ?= 'c2'", 'i2'],
    ["r.up.id = 'k0'", 'i2'],
    ["id = 'i1' && id = 'nope'", 'i1'],
    ["id = 'i1' || n > 0", undefined],
    ["r = ''", undefined],
    ["r != 'k0'", undefined],
    ["t = 'A'", undefined],
    ['id = 5', ''],
    ['r = @request.auth.id', undefined],
  ])('%s', (text, ids) => {
    expect(candidates(text)).toBe(ids)
  })

  test('unique indexes are keys if they cover the value', () => {
    const covered = smallTable({ ...item.definition, name: 'coded' }, ['t'])
    const [index] = covered.uniqueIndexes
    const partial = {
      ...covered,
      uniqueIndexes: [{ ...index, covers: (values: Values) => values.t !== '' }],
    } as typeof covered
    const elsewhere = {
      ...covered,
      uniqueIndexes: [{ ...index, covers: (values: Values) => values.u !== '' }],
    } as typeof covered
    const world = (table: typeof covered) => smallReader([kin, shut, part, user, table], { coded: data.item })
    for (const [table, keyed] of [
      [covered, true],
      [partial, true],
      [elsewhere, false],
    ] as const) {
      const inside = smallScope(world(table), table)
      const rows = compileFilter("t = 'A'", optionsFor(inside, table, 'client')).candidates(inside)
      expect(rows && [...rows].map((row) => row.id)).toEqual(keyed ? ['i1'] : undefined)
    }
  })

  test('unique indexes of numbers are keys for numbers and for strings of numbers', () => {
    const keyed = smallTable({ ...item.definition, name: 'keyed' }, ['n', 't'])
    const rows = data.item.map((values, at) => ({ ...values, n: at * 2.5, t: `${at}.0` }))
    const inside = smallScope(smallReader([kin, shut, part, user, keyed], { keyed: rows }), keyed)
    for (const text of ['n = 5', "n = '5'", "n = ' 5.0'", '5 = n', 't = 2']) {
      const found = compileFilter(text, optionsFor(inside, keyed, 'client')).candidates(inside)
      expect(found && [...found].map((row) => row.id)).toEqual(['i2'])
    }
  })

  test('the equalities of an && find rows by a unique index of several fields', async () => {
    const store = new Store()
    const [seat] = addTables(store, [
      {
        name: 'seat',
        listRule: '',
        fields: [
          { name: 'row', type: 'text' },
          { name: 'number', type: 'number' },
          { name: 'taken', type: 'bool' },
        ],
        indexes: ['CREATE UNIQUE INDEX one ON seat (`row`, number) WHERE number > 0'],
      },
    ]) as [Table]
    await store.transaction((tx) => {
      for (const number of [0, 1, 2]) tx.insert(seat, { id: `s${number}`, row: 'A', number, taken: false })
    })
    const inside = smallScope(store.current, seat)
    for (const [text, ids] of [
      ["row = 'A' && number = 2", ['s2']],
      ["taken = false && ('1' = number && row ?= 'A')", ['s1']],
      ["row = 'B' && number = 2", []],
      ["row = 'A' && number = 0", undefined],
      ["row = '' && number = 2", undefined],
      ["row = 'A' || number = 2", undefined],
      ["row = 'A' && number > 1", undefined],
      ["row = 'A' && taken = true", undefined],
    ] as const) {
      const rows = compileFilter(text, optionsFor(inside, seat, 'client')).candidates(inside)
      expect({ text, ids: rows && [...rows].map((row) => row.id) }).toEqual({ text, ids })
    }
  })

  test('a join of another table is narrowed by key too', () => {
    reader.scans = 0
    const text = '@collection.kid.par ?= id && @collection.kid.title ?= "two"'
    const filter = compileFilter(text, optionsFor(scope, item, 'rule'))
    expect(['i1', 'i2'].map((id) => filter.matches(reader.get(item, id) as Row, scope))).toEqual([
      true,
      false,
    ])
    expect(reader.scans).toBe(0)
  })
})
