import { expect, it } from 'vitest'
import { saysRejected } from './says-rejected.ts'

it.each([
  { ok: false },
  { success: false, data: null, message: 'no' },
  { error: 'no' },
  { error: { code: 'not_found' } },
  { errors: ['no'] },
  { errors: [{ id: 'request-7', status: '404' }] },
  { errors: { title: ['is required'] } },
  { ok: false, id: 'record000000001', error: 'not_found' },
  { data: null, error: { message: 'no' } },
])('%j says that a write was rejected', (body) => {
  expect(saysRejected('updateRecord', '{"title":"a"}', body)).toBe(true)
  expect(saysRejected('authRefresh', undefined, body)).toBe(true)
  expect(saysRejected(undefined, undefined, body)).toBe(true)
})

it.each([
  undefined,
  null,
  '',
  'no',
  false,
  [],
  {},
  [{ ok: false }],
  { ok: true },
  { ok: 0 },
  { success: true, errors: ['a warning'] },
  { error: null, errors: [] },
  { error: '' },
  { error: {} },
  { error: false },
  { message: 'not found', code: 404 },
  { id: 'job000000000001', title: 'a', ok: false, error: 'the job failed' },
  { id: 'job000000000001', created: '2026-01-01 00:00:00.000Z', success: false },
  { record: { id: 'record000000001', title: 'a' }, errors: ['a warning'] },
])('%j does not', (body) => {
  expect(saysRejected('updateRecord', '{"title":"a"}', body)).toBe(false)
})

it.each(['listRecords', 'viewRecord'] as const)('a %s may be rejected', (operation) => {
  expect(saysRejected(operation, undefined, { ok: false })).toBe(true)
  expect(saysRejected(operation, '', { error: 'no' })).toBe(true)
})

it('a response that shows records was not rejected, whatever else it says', () => {
  expect(saysRejected('listRecords', undefined, { items: [], errors: ['slow'] })).toBe(false)
  expect(saysRejected('listRecords', undefined, { items: [], ok: false })).toBe(false)
  expect(saysRejected('viewRecord', undefined, { id: 'job000000000001', ok: false, error: 'late' })).toBe(
    false,
  )
})

it.each(['listRecords', 'viewRecord'] as const)('a %s with a body may be rejected', (operation) => {
  expect(saysRejected(operation, '{broken', { ok: false })).toBe(true)
  expect(saysRejected(operation, '[]', { items: [] })).toBe(false)
})

it('a batch was rejected if each entry of the response failed', () => {
  const failed = [{ status: 400, body: {} }, { status: '424' }]
  expect(saysRejected('batch', undefined, failed)).toBe(true)
  expect(saysRejected('batch', undefined, { responses: failed, took: 3 })).toBe(true)
  expect(saysRejected('batch', undefined, [{ statusCode: 409 }])).toBe(true)
  expect(saysRejected('batch', undefined, [{ status: 200 }, { status: 400 }])).toBe(false)
  expect(saysRejected('batch', undefined, [{}, {}])).toBe(false)
  expect(saysRejected('batch', undefined, [])).toBe(false)
  expect(saysRejected('batch', undefined, { responses: failed, records: [] })).toBe(false)
  expect(saysRejected('createRecord', undefined, failed)).toBe(false)
})
