import { expect, test } from 'vitest'
import { createReference } from '../reference.ts'

const records = '/api/v1/collections/notes/records'
const make = () => createReference({ tables: [{ name: 'notes', listRule: '', createRule: '' }] })

test.each([204, 205, 304])('a fault answers with %i, which has no body', async (status) => {
  const reference = make()
  reference.fault({ status, body: 'ignored', headers: { 'x-odd': '1' } })
  const answer = await reference.fetch(records)
  expect([answer.status, answer.headers.get('x-odd'), await answer.text()]).toEqual([status, '1', ''])
})

test('what is sent with a token that counts as expired is logged like everything else', async () => {
  const reference = make()
  reference.fault({ expired: true })
  const headers = { 'content-type': 'application/json' }
  await reference.fetch(records, { method: 'POST', headers, body: '{"a":1}' })
  expect(reference.requests.last()?.requestText).toBe('{"a":1}')
})
