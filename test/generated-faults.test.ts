/** A small sample of the generated breaches: `npm run faults -- --generated` runs all of them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breachKinds } from '../proofs/faults/generated/breach.ts'
import { type BreachRunner, startBreachRunner } from '../proofs/faults/generated/breach-runner.ts'
import { readSample, sampled, unknownName } from '../proofs/faults/generated/sample.ts'
import { inFull } from '../scripts/support/in-full.ts'

/** Recorded in a moment, and enough to see every kind. */
const only = [
  'auth.identity-email',
  'auth.response-record',
  'auth.response-token',
  'create.listed',
  'create.persists',
  'delete.removes',
  'field-types.all',
  'field-types.keep-values',
  'impersonate.superuser-only',
  'list.expand-relation',
  'list.page',
  'list.total-items',
  'record.collection-id',
  'record.created',
  'record.id',
  'table.by-id',
  'table.by-id-writes',
  'update.only-one',
  'view.own-answer',
]

/** One or more of each kind. The checks above see them by requirements of the document. */
const sample = [
  'authWithPassword · 2xx record.id · altered',
  'authWithPassword · 2xx token · dropped',
  'listRecords · 2xx items[].collectionId · altered',
  'listRecords · 2xx totalItems · altered',
  'viewRecord · 2xx created · an empty string',
  'viewRecord · 2xx {geoPoint} · dropped',
  'viewRecord · 2xx id · null',
  'authWithPassword · status 200 · 204',
  'listRecords · status 200 · 500',
  'createRecord · effect · done twice',
  'createRecord · effect in plain · omitted',
  'createRecord · values of {json} · not stored',
  'deleteRecord · effect in plain · omitted',
  'updateRecord · effect in plain · done to all records',
  'deleteRecord · by identifier · rejected with 403',
  'listRecords · by identifier · taken for another table',
  'listRecords · with expand · the parameter ignored',
  'viewRecord · by identifier · rejected with 404',
  'listRecords · from record 2 of a page · left out',
  'listRecords · strings from character 10 · cut',
  'viewRecord · two at once · the second gets the response of the first',
  'impersonate · token guest · rejected requests are carried out',
]

// Recording them takes half a minute.
describe.runIf(inFull)('generated breaches', () => {
  let runner: BreachRunner
  beforeAll(async () => {
    runner = await startBreachRunner({ seed: 1, only })
  })
  afterAll(() => runner.close())

  it('have the same names for the same seed', async () => {
    const again = await startBreachRunner({ seed: 1, only })
    expect(runner.breaches.map(({ name }) => name)).toEqual(again.breaches.map(({ name }) => name))
    await again.close()
  }, 120_000)

  it('are many, and of every kind', () => {
    expect(runner.breaches.length).toBeGreaterThan(1_500)
    expect(new Set(runner.breaches.map(({ kind }) => kind))).toEqual(new Set(breachKinds))
  })

  it('are seen by the document', async () => {
    const rows = []
    for (const name of sample) rows.push(await runner.row(name))
    expect(rows.filter(({ fate }) => fate !== 'document')).toEqual([])
  })

  it('are argued by rule if they break nothing', async () => {
    const { fate, by } = await runner.row('deleteRecord · effect · done twice')
    expect({ fate, by }).toEqual({ fate: 'argued', by: expect.stringContaining('the second delete') })
  })

  it('are not derived if they would not change a recorded response', () => {
    const names = runner.breaches.map(({ name }) => name)
    expect(names).toContain('listRecords · from page 2 · no records')
    expect(names).not.toContain('listRecords · from page 50 · no records')
    expect(names).not.toContain('viewRecord · 2xx {password} · an empty string')
  })

  it('survive if no request meets a check of a token, unless by rule none can', async () => {
    const unmet = { fate: 'surviving', by: 'no request of the suite meets it' }
    expect(
      await runner.row('updateRecord · rule of owned · rejected requests are carried out'),
    ).toMatchObject(unmet)
    expect(await runner.row('listRecords · rule of ruled · rejected requests are carried out')).toMatchObject(
      {
        fate: 'argued',
      },
    )
  })

  it('survive without the checks that see them', async () => {
    const name = 'listRecords · status 200 · 500'
    const without = await startBreachRunner({ seed: 1, only, without: ['*'] })
    expect(without.breaches.map((each) => each.name)).toContain(name)
    expect(await without.row(name)).toMatchObject({ fate: 'surviving', checks: 0 })
    await without.close()
    await expect(startBreachRunner({ seed: 1, only, without: ['no.such'] })).rejects.toThrow('--without')
  })
})

describe('a sample', () => {
  const all = ['a 1', 'a 2', 'b 3', 'a 4'].map((name) => ({ name, kind: 'key' as const }))

  it('is every so many, by position, name or kind', () => {
    expect(sampled(all, { first: 1, every: 2, names: ['a'] })).toEqual([all[1]])
    expect(sampled(all, { first: 0, every: 1, names: ['b', '1'] })).toEqual([all[0], all[2]])
    expect(sampled(all, { first: 0, every: 1, kinds: ['status'] })).toEqual([])
    expect(readSample('2/40')).toEqual({ first: 1, every: 40 })
    expect(readSample('0/40')).toBeUndefined()
    expect(readSample('41/40')).toBeUndefined()
  })

  it('knows a string that is in no name', () => {
    expect(unknownName(all, { first: 0, every: 1, names: ['a', 'c'] })).toBe('c')
    expect(unknownName(all, { first: 0, every: 1, names: ['a', '3'] })).toBeUndefined()
  })
})
