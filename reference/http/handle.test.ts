/** A write whose response cannot be sent is rejected, and nothing is written. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call } from '../../test/support/reference-call.ts'
import { createReference, type Reference } from '../reference.ts'

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
const tooLong = 'The response would be too long to send.'
let reference: Reference

beforeEach(() => {
  reference = createReference({
    tables: [{ name: 'notes', ...open, fields: [{ name: 'title', type: 'text' }] }],
    records: { notes: [{ id: 'first0000000001', title: 'as it was' }] },
  })
  const stringify = JSON.stringify
  // The error of JSON.stringify for a text of more than half a gigabyte.
  vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given)
    if (text.includes('endless')) throw new RangeError('Invalid string length')
    return text
  })
})

afterEach(() => vi.restoreAllMocks())

const url = '/api/v1/collections/notes/records'
const batch = `{"requests":[
  {"method":"POST","url":"${url}","body":{"title":"short"}},
  {"method":"POST","url":"${url}","body":{"title":"endless"}}]}`

it.each([
  ['a create', 'POST /collections/notes/records', '{"title":"endless"}'],
  ['an update', 'PATCH /collections/notes/records/first0000000001', '{"title":"endless"}'],
  ['a batch', 'POST /batch', batch],
])('%s', async (_, line, body) => {
  const { status, body: rejection } = await call(reference, line, body)
  expect([status, rejection.message]).toEqual([400, tooLong])
  expect((await reference.records.list('notes')).map(({ title }) => title)).toEqual(['as it was'])
  expect((await call(reference, line, body.replace('endless', 'short'))).status).toBe(200)
})
