/** A small sample of the generated breaches: `npm run faults -- --generated` runs all of them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BreachRunner, startBreachRunner } from '../faults/generated/breach-runner.ts'
import { readSample, sampled } from '../faults/generated/sample.ts'

/** Few enough to be recorded in a moment, and enough to see every kind. */
const only = [
  'auth.identity-email',
  'auth.own-table-only',
  'auth.response-record',
  'auth.response-token',
  'auth.user-token',
  'batch.order',
  'create.listed',
  'create.persists',
  'delete.removes',
  'field-types.all',
  'field-types.keep-values',
  'impersonate.superuser-only',
  'list.expand-relation',
  'list.items-as-viewed',
  'list.page',
  'list.per-page',
  'list.shape',
  'list.total-items',
  'list.total-pages',
  'operations.exist',
  'record.collection-id',
  'record.collection-name',
  'record.created',
  'record.id',
  'table.by-id',
  'table.by-id-writes',
  'update.changes-only-sent',
  'update.concurrent-fields',
  'view.record',
]

describe('generated breaches', () => {
  let runner: BreachRunner
  let again: BreachRunner
  beforeAll(async () => {
    runner = await startBreachRunner({ seed: 1, only })
    again = await startBreachRunner({ seed: 1, only })
  })
  afterAll(async () => {
    await runner.close()
    await again.close()
  })

  it('have the same names for the same seed', () => {
    expect(runner.breaches.map(({ name }) => name)).toEqual(again.breaches.map(({ name }) => name))
    expect(runner.breaches.length).toBeGreaterThan(1_500)
  })
})

describe('a sample', () => {
  it('is every so many, by position or by name', () => {
    const all = ['a 1', 'a 2', 'b 3', 'a 4'].map((name) => ({ name, kind: 'key' as const }))
    expect(sampled(all, { first: 1, every: 2, name: 'a' })).toEqual([all[1]])
    expect(readSample('2/40')).toEqual({ first: 1, every: 40 })
    expect(readSample('0/40')).toBeUndefined()
    expect(readSample('41/40')).toBeUndefined()
  })
})
