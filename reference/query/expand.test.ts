import { expect, onTestFinished, test, vi } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { leavesOf } from '../../test/query/leaves.ts'
import { smallReader, smallRequest, smallScope, smallTable } from '../../test/query/small-world.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import type { Caller, Json, Row } from '../vocabulary.ts'
import { expandRecords } from './expand.ts'
import { parseExpand } from './parse-expand.ts'

const node = smallTable({
  name: 'node',
  fields: [
    { type: 'text', name: 't' },
    { type: 'relation', name: 'up', collectionId: 'id_node' },
    { type: 'relation', name: 'all', collectionId: 'id_node', maxSelect: 9 },
    { type: 'relation', name: 'shut', collectionId: 'id_shut' },
    { type: 'relation', name: 'part', collectionId: 'id_part', maxSelect: 9 },
    { type: 'relation', name: 'hid', collectionId: 'id_node', hidden: true },
  ],
})
const shut = smallTable({ name: 'shut', viewRule: null })
const part = smallTable({
  name: 'part',
  viewRule: 'open = true && @request.context = "expand"',
  fields: [{ type: 'bool', name: 'open' }],
})
const kid = smallTable({ name: 'kid', fields: [{ type: 'relation', name: 'par', collectionId: 'id_node' }] })
const only = smallTable(
  { name: 'only', fields: [{ type: 'relation', name: 'par', collectionId: 'id_node' }] },
  ['par'],
)

const reader = smallReader([node, shut, part, kid, only], {
  node: [
    { id: 'a', t: '', up: 'b', all: ['c', 'gone', 'b'], shut: 's', part: ['p', 'q'], hid: 'b' },
    { id: 'b', t: '', up: 'c', all: [], shut: '', part: ['q'], hid: '' },
    { id: 'c', t: '', up: '', all: [], shut: '', part: [], hid: '' },
  ],
  shut: [{ id: 's' }],
  part: [
    { id: 'p', open: true },
    { id: 'q', open: false },
  ],
  kid: [
    { id: 'k', par: 'a' },
    { id: 'l', par: 'a' },
  ],
  only: [{ id: 'o', par: 'a' }],
})

function expanded(text: string, { id = 'a', superuser = false, caller = { kind: 'guest' } as Caller } = {}) {
  const scope = smallScope(reader, node, { superuser, request: smallRequest({ caller }) })
  const row = reader.get(node, id) as Row
  const expand = expandRecords([row], node, { text }, scope, (each, _, expanded) => {
    return { id: each.id, expand: expanded } as { [key: string]: Json }
  })
  return expand(row)
}

test.each<[string, Record<string, unknown> | undefined]>([
  ['', undefined],
  ['up', { up: { id: 'b' } }],
  [' u p . up ', { up: { id: 'b', expand: { up: { id: 'c' } } } }],
  ['all', { all: [{ id: 'c' }, { id: 'b' }] }],
  ['up,all', { up: { id: 'b' }, all: [{ id: 'c' }, { id: 'b' }] }],
  ['up.up,up.all', { up: { id: 'b', expand: { up: { id: 'c' } } } }],
  ['nope', undefined],
  ['t', undefined],
  ['up.nope', undefined],
  ['up,up.nope', undefined],
  ['all,up.nope', { all: [{ id: 'c' }, { id: 'b' }] }],
  ['shut', undefined],
  ['part', { part: [{ id: 'p' }] }],
  ['hid', undefined],
  ['kid_via_par', { kid_via_par: [{ id: 'k' }, { id: 'l' }] }],
  ['KID_via_par', { KID_via_par: [{ id: 'k' }, { id: 'l' }] }],
  ['kid(par)', { 'kid(par)': [{ id: 'k' }, { id: 'l' }] }],
  ['only_via_par', { only_via_par: { id: 'o' } }],
  ['kid_via_nope', undefined],
  ['node_via_hid', undefined],
])('expand=%s', (text, expected) => {
  expect(expanded(text)).toEqual(expected)
})

test('a valid path with nothing to show gives an empty object', () => {
  expect(expanded('up', { id: 'c' })).toEqual({})
  expect(expanded('part', { id: 'b' })).toEqual({})
  expect(expanded('shut', { id: 'c' })).toBeUndefined()
})

test('superusers see closed and hidden relations', () => {
  expect(expanded('shut,hid,part', { superuser: true })).toEqual({
    shut: { id: 's' },
    hid: { id: 'b' },
    part: [{ id: 'p' }, { id: 'q' }],
  })
})

test('an API key sees the tables of its scope, others as a guest does', () => {
  const key = (tables: string[]): Caller => ({
    kind: 'key',
    key: { id: '', name: '', tables, actions: ['view'] },
  })
  expect(expanded('shut,part', { caller: key(['shut']) })).toEqual({ shut: { id: 's' }, part: [{ id: 'p' }] })
  expect(expanded('shut', { caller: key(['node']) })).toBeUndefined()
})

test('a name of any length that is not a back-relation shows nothing, quickly', () => {
  const [shown, ms] = timed(() => expanded(`${'a_via_'.repeat(170_000)}!`))
  expect(shown).toBeUndefined()
  expectWithin(ms, 2000)
})

test('a common beginning of several paths is followed once', () => {
  const get = vi.spyOn(reader, 'get')
  onTestFinished(() => get.mockRestore())
  const nowhere = Array.from({ length: 100 }, (_, n) => `up.none${n}`).join(',')
  expect(expanded(`${nowhere},up.up`)).toEqual({ up: { id: 'b', expand: { up: { id: 'c' } } } })
  // The record itself, and two steps.
  expect(get).toHaveBeenCalledTimes(3)
})

test('longer paths are cut to six levels', () => {
  expect(leavesOf(parseExpand('a.b.c.d.e.f.g,..x..,,a, y , y'))).toEqual([
    ['a', 'b', 'c', 'd', 'e', 'f'],
    ['x'],
    ['y'],
  ])
})
