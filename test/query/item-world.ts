import type { CompileMode } from '../../reference/query/compilation.ts'
import { compileFilter, optionsFor } from '../../reference/query/compile.ts'
import type { RequestInfo, Values } from '../../reference/vocabulary.ts'
import { smallReader, smallRequest, smallScope, smallTable } from './small-world.ts'

export const kin = smallTable({
  name: 'kin',
  fields: [
    { type: 'text', name: 'name' },
    { type: 'number', name: 'rank' },
    { type: 'relation', name: 'up', collectionId: 'id_kin' },
  ],
})
export const shut = smallTable({ name: 'shut', listRule: null, fields: [{ type: 'text', name: 't' }] })
export const part = smallTable({
  name: 'part',
  listRule: 't != "secret"',
  fields: [{ type: 'text', name: 't' }],
})
export const user = smallTable({
  name: 'user',
  type: 'auth',
  fields: [
    { type: 'email', name: 'email' },
    { type: 'bool', name: 'emailVisibility' },
    { type: 'password', name: 'password', hidden: true },
    { type: 'relation', name: 'team', collectionId: 'id_kin' },
    { type: 'password', name: 'pin' },
  ],
})
export const item = smallTable({
  name: 'item',
  fields: [
    { type: 'text', name: 't' },
    { type: 'text', name: 'u' },
    { type: 'number', name: 'n' },
    { type: 'bool', name: 'b' },
    { type: 'date', name: 'd' },
    { type: 'select', name: 'sm', values: ['a', 'b'], maxSelect: 2 },
    { type: 'json', name: 'j' },
    { type: 'geoPoint', name: 'g' },
    { type: 'relation', name: 'r', collectionId: 'id_kin' },
    { type: 'relation', name: 'rm', collectionId: 'id_kin', maxSelect: 9 },
    { type: 'relation', name: 'lk', collectionId: 'id_shut' },
    { type: 'relation', name: 'pt', collectionId: 'id_part' },
    { type: 'relation', name: 'pts', collectionId: 'id_part', maxSelect: 9 },
    { type: 'relation', name: 'us', collectionId: 'id_user' },
    { type: 'text', name: 'hid', hidden: true },
    { type: 'relation', name: 'hidr', collectionId: 'id_kin', hidden: true },
  ],
})
export const kid = smallTable({
  name: 'kid',
  fields: [
    { type: 'relation', name: 'par', collectionId: 'id_item' },
    { type: 'text', name: 'title' },
  ],
})

const blank: Values = {
  t: '',
  u: '',
  n: 0,
  b: false,
  d: '',
  sm: [],
  j: null,
  g: { lon: 0, lat: 0 },
  r: '',
  rm: [],
  lk: '',
  pt: '',
  pts: [],
  us: '',
  hid: '',
  hidr: '',
}
export const data = {
  kin: [
    { id: 'k0', name: 'c0', rank: 1, up: '' },
    { id: 'k1', name: 'c1', rank: 5, up: 'k0' },
  ],
  shut: [{ id: 's0', t: 'x' }],
  part: [
    { id: 'p0', t: 'open' },
    { id: 'p1', t: 'secret' },
  ],
  user: [
    { id: 'u0', email: 'a@x.y', emailVisibility: true, password: 'h', pin: 'h', team: 'k1' },
    { id: 'u1', email: 'b@x.y', emailVisibility: false, password: 'h', pin: 'h', team: '' },
  ],
  item: [
    { ...blank, id: 'i0' },
    {
      ...blank,
      id: 'i1',
      t: 'A',
      u: 'A',
      n: 10,
      b: true,
      d: '2020-01-01 10:00:00.000Z',
      sm: ['a'],
      r: 'k0',
      rm: ['k0'],
    },
    {
      ...blank,
      id: 'i2',
      t: 'a',
      n: 2.5,
      j: { a: 1, list: [5, 'x'] },
      r: 'k1',
      rm: ['k0', 'k1'],
      pt: 'p0',
      us: 'u0',
    },
    {
      ...blank,
      id: 'i3',
      t: '10',
      j: '',
      sm: ['a', 'b'],
      g: { lon: 8.5, lat: 47.4 },
      pt: 'p1',
      us: 'u1',
      pts: ['p0', 'p1'],
    },
    { ...blank, id: 'i4', t: 'hello', j: true, lk: 's0', hid: 'h', hidr: 'k0' },
  ],
  kid: [
    { id: 'c0', par: 'i1', title: 'one' },
    { id: 'c1', par: 'i1', title: 'two' },
    { id: 'c2', par: 'i2', title: 'one' },
  ],
}

export const reader = smallReader([kin, shut, part, user, item, kid], data)

/**
 * Ids of the items that a text matches, without their first letter.
 *
 * @throws Error if it matches other items when it is prepared for many rows
 */
export function matching(
  text: string,
  mode: CompileMode = 'client',
  changes: Partial<RequestInfo> = {},
): string {
  const scope = smallScope(reader, item, { request: smallRequest(changes) })
  const filter = compileFilter(text, optionsFor(scope, item, mode))
  const matches = filter.matcher(scope)
  const rows = [...reader.scan(item)].filter((row) => {
    const matched = filter.matches(row, scope)
    // Only lists test many rows, and a list has no body, with which a row could differ.
    if (scope.request.sent.size === 0 && matches(row) !== matched)
      throw new Error(`${text}: ${row.id} matches as one row, or as one of many.`)
    return matched
  })
  return rows.map((row) => row.id.slice(1)).join('')
}
