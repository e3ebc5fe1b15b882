/**
 * The living server and the reference with the same records, for random requests to both.
 *
 * @module
 */

import type { LivingServer } from '../living-server.ts'
import { type Pair, type PairRequest, startPair } from './pair.ts'
import { accounts } from './sign-ins.ts'
import { relatedIds } from './values.ts'

/** Ends with `close`; the living server is the caller's. */
export interface RandomWorld extends Pair {
  /** An id that no record has yet. */
  newId(): string
}

const [one, two, three, four] = relatedIds
const rows = [
  {
    text: 'hello',
    number: 1,
    bool: true,
    select: 'a',
    selects: ['a', 'b'],
    json: { a: 1, b: 'q' },
    relation: one,
    relations: [one, two],
    geo: { lon: 1, lat: 2 },
    date: '2024-02-29 10:11:12',
    editor: '<p>hello <b>world</b></p>',
    email: 'a@example.com',
    url: 'http://example.com',
  },
  {},
  {
    text: 'h_llo',
    number: 10,
    selects: ['c'],
    json: ['a', 1, null],
    relation: two,
    relations: [three],
    date: '2025-06-30',
  },
  {
    text: 'Hello',
    number: -1.5,
    json: 'text',
    relations: relatedIds,
    selects: ['a', 'b', 'c', 'd', 'e'],
    editor: 'é',
  },
  { text: '50%', number: 5, json: 1, relation: four, relations: [four], geo: { lon: -180, lat: 90 } },
  { text: "O'Brien", number: 2, bool: true, json: true, email: 'A@Example.com' },
  { text: 'say "hi"', number: 0.1, json: { a: { b: [1, 2] } }, select: 'c' },
  { text: 'back\\', number: 100000, json: [], date: '9999-12-31 23:59:59.999Z' },
  { text: 'É', number: 1e21, json: {}, date: '2024-02-29 00:00:00' },
  { text: '10', number: 11, json: '', relation: three, relations: [two, one], selects: ['b'] },
  { text: 'two\nlines', json: null, number: -1, select: 'b' },
  { text: '1.5', json: { a: 'x', b: null }, number: 1.5, geo: { lon: 0.5, lat: -0.5 } },
  { text: 'abc', json: [{ a: 1 }], relations: [one] },
  { text: '[]', json: '"q"', relation: one },
]

/** The create of a record, by a guest if not said otherwise. */
export function createRequest(table: string, body: unknown, as?: PairRequest['as']): PairRequest {
  return { method: 'POST', path: `/collections/${table}/records`, body, ...(as && { as }) }
}

/**
 * Starts a reference in addition to the living server, with the same records in both.
 *
 * @throws Error that shows both responses when one of these records is not kept in the same way
 */
export async function startRandomWorld(server: LivingServer): Promise<RandomWorld> {
  const pair = await startPair(server)
  let made = 0
  const newId = () => `e${String(++made).padStart(14, '0')}`
  for (const [at, id] of relatedIds.entries()) {
    const [name, rank] = [['name1', 'Name2', '', 'é'][at], [1, 2, 0, 10][at]]
    await pair.same(createRequest('conf_related', { id, name, rank, parent: relatedIds[at - 1] ?? '' }))
  }
  for (const row of rows) await pair.same(createRequest('conf_everything', { id: newId(), ...row }))
  for (const account of accounts) await pair.same(createRequest('conf_members', account, 'superuser'))
  return { ...pair, newId }
}
