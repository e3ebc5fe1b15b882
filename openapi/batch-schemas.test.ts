import { expect, it } from 'vitest'
import { type Judge, judgeOf } from '../test/openapi/described-values.ts'
import { describeTables, type ExportedTable } from './openapi.ts'

const tables: ExportedTable[] = [
  { name: 'posts', id: 'pbc_posts', fields: [{ name: 'title', type: 'text', required: true }] },
  { name: 'scans', fields: [{ name: 'pages', type: 'file', required: true }] },
  { name: 'members', type: 'auth', fields: [] },
  { name: 'titles', type: 'view', fields: [{ name: 'title', type: 'text' }] },
]
const full = judgeOf(describeTables(tables, { prefix: '/api' }))
const stated = judgeOf(describeTables(tables, { documentOnly: true }))

const records = '/api/collections/posts/records'
const one = `${records}/a1`
const body = { title: 'a' }
const members = '/api/collections/members/records'
const account = { email: 'ann@example.com', password: 'secret1234' }

it.each<[string, object]>([
  ['a creation', { method: 'POST', url: records, body }],
  ['a creation in a table by its id', { method: 'POST', url: '/api/collections/pbc_posts/records', body }],
  ['a query', { method: 'POST', url: `${records}?fields=id`, body }],
  ['headers', { method: 'POST', url: records, body, headers: { 'x-mark': 'a' } }],
  ['a creation by PUT', { method: 'PUT', url: records, body }],
  ['an update of one field by PUT', { method: 'PUT', url: records, body: { id: 'a1' } }],
  ['an update', { method: 'PATCH', url: one, body: {} }],
  ['an account', { method: 'POST', url: members, body: { ...account, passwordConfirm: account.password } }],
  ['a deletion', { method: 'DELETE', url: one }],
  [
    'an update by PUT that keeps its file',
    { method: 'PUT', url: '/api/collections/scans/records', body: { id: 'a1' } },
  ],
])('takes %s', (_name, entry) => {
  expect(full('SubRequest', entry)).toBeUndefined()
})

it.each<[string, object]>([
  ['a creation without a required field', { method: 'POST', url: records, body: {} }],
  ['a creation by PUT without one', { method: 'PUT', url: records, body: {} }],
  ['an account without the password again', { method: 'POST', url: members, body: account }],
  ['a creation without a body', { method: 'POST', url: records }],
  ['a creation at a record', { method: 'POST', url: one, body }],
  ['a creation in a view', { method: 'POST', url: '/api/collections/titles/records', body }],
  [
    'a creation that cannot have its file',
    { method: 'POST', url: '/api/collections/scans/records', body: {} },
  ],
  ['an update of a table', { method: 'PATCH', url: records, body }],
  ['an update by PUT of a record in the path', { method: 'PUT', url: one, body: { id: 'a1' } }],
  ['an update without a body', { method: 'PATCH', url: one }],
  ['an update to another type', { method: 'PATCH', url: one, body: { title: 1 } }],
  ['a deletion of a table', { method: 'DELETE', url: records }],
  ['another prefix', { method: 'DELETE', url: `/v1/api/collections/posts/records/a1` }],
  ['a number for a header', { method: 'DELETE', url: one, headers: { 'x-mark': 1 } }],
  ['no method', { url: one }],
  ['a URL that is none', { method: 'DELETE', url: 1 }],
])('does not take %s', (_name, entry) => {
  expect(full('SubRequest', entry)).toBeDefined()
})

it('has only the three methods of the document, if that is requested', () => {
  const at = (judge: Judge, method: string) =>
    judge('SubRequest', { method, url: '/api/v1/collections/posts/records', body: { ...body, id: 'a1' } })
  expect([at(stated, 'POST'), at(stated, 'PUT')]).toEqual([undefined, expect.any(String)])
})
