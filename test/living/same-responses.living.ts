/**
 * The reference against the living server family: random requests, the same answers. What the standard profile answers
 * otherwise on purpose is left out where the requests are made, with the reason beside it.
 *
 * `CONFORMANCE_SEED` and `CONFORMANCE_RUNS` (a factor) look further. Where the server cannot be had, this says so and
 * nothing is run.
 */

import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type LivingServer, livingBinary, startLivingServer } from '../../scripts/living/living-server.ts'
import { batches, pool, touched } from './responses/batches.ts'
import { queries } from './responses/filters.ts'
import { type Pair, type PairRequest, startPair } from './responses/pair.ts'
import { accounts, signIns } from './responses/sign-ins.ts'
import { relatedIds } from './responses/values.ts'
import { rawBodies, writes } from './responses/writes.ts'

const seed = Number(process.env.CONFORMANCE_SEED ?? 7)
const factor = Number(process.env.CONFORMANCE_RUNS ?? 1)
const binary = await livingBinary()
const missing = 'missing' in binary ? binary.missing : undefined
if (missing !== undefined) console.log(`Not run: ${missing}. Set POCKETBASE_BIN or install Go to run this.`)

const everything = '/collections/conf_everything/records'
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

describe.skipIf(missing !== undefined)('the reference answers as the living family does', () => {
  let server: LivingServer
  let pair: Pair
  let made = 0
  const newId = () => `e${String(++made).padStart(14, '0')}`
  const create = (table: string, body: unknown, as?: PairRequest['as']) =>
    pair.same({ method: 'POST', path: `/collections/${table}/records`, body, ...(as && { as }) })

  beforeAll(async () => {
    if ('missing' in binary) return
    server = await startLivingServer(binary.path)
    pair = await startPair(server)
    for (const [at, id] of relatedIds.entries()) {
      const [name, rank] = [['name1', 'Name2', '', 'é'][at], [1, 2, 0, 10][at]]
      await create('conf_related', { id, name, rank, parent: relatedIds[at - 1] ?? '' })
    }
    for (const row of rows) await create('conf_everything', { id: newId(), ...row })
    for (const account of accounts) await create('conf_members', account, 'superuser')
  })
  afterAll(async () => {
    await pair?.close()
    await server?.stop()
  })

  /** As a guest and as a superuser by turns. */
  const caller = fc.constantFrom<{ as?: 'superuser' }>({}, { as: 'superuser' })
  const holds = <T>(
    runs: number,
    random: Arbitrary<T>,
    check: (value: T, as: { as?: 'superuser' }) => Promise<void>,
  ) => fc.assert(fc.asyncProperty(random, caller, check), { seed, numRuns: Math.ceil(runs * factor) })

  it('to lists with any filter, order, expansion and choice of fields', async () => {
    await holds(2000, queries, async ({ text, slipped }, as) => {
      const sendRequest = {
        method: 'GET',
        path: `${everything}?${text}`,
        headers: { 'x-conf': 'Open' },
        ...as,
      }
      if (slipped && (await pair.both(sendRequest)).reference.status === 400) return
      await pair.same(sendRequest)
    })
  })

  it('to creates and updates with any values', async () => {
    await holds(600, writes, async ({ table, create: body, update }, as) => {
      const id = newId()
      const path = `/collections/${table}/records`
      try {
        await pair.same({ method: 'POST', path, body: { ...body, id }, ...as })
        await pair.same({ method: 'PATCH', path: `${path}/${id}`, body: update, ...as })
        await pair.same({ method: 'GET', path: `${path}/${id}`, ...as })
      } finally {
        await pair.both({ method: 'DELETE', path: `${path}/${id}`, as: 'superuser' })
      }
    })
  })

  it('to bodies of any media type', async () => {
    await holds(400, rawBodies, async ({ type, text }, as) => {
      const id = newId()
      await create('conf_everything', { id })
      const path = `${everything}/${id}`
      await pair.same({ method: 'PATCH', path, headers: { 'content-type': type }, body: text, ...as })
      await pair.same({ method: 'GET', path, ...as })
      await pair.both({ method: 'DELETE', path, as: 'superuser' })
    })
  })

  it('to batches, which leave the same records behind', async () => {
    await holds(300, batches, async (requests, as) => {
      try {
        await create('conf_plain', { id: pool[0] })
        await create('conf_loose', { id: pool[0], one: pool[0], many: [pool[0]] })
        await pair.same({ method: 'POST', path: '/batch', body: { requests }, ...as })
        for (const table of touched)
          await pair.same({
            method: 'GET',
            path: `/collections/${table}/records?sort=id&perPage=500`,
            as: 'superuser',
          })
      } finally {
        for (const table of [...touched, 'conf_locked'])
          for (const id of [...pool, 'nothere00000000'])
            await pair.both({
              method: 'DELETE',
              path: `/collections/${table}/records/${id}`,
              as: 'superuser',
            })
      }
    })
  })

  it('to sign-ins that fail', async () => {
    await holds(1000, signIns, (sendRequest) => pair.same(sendRequest))
  })
})
