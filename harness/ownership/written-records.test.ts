import { expect, it } from 'vitest'
import { writtenRecords } from './written-records.ts'

const at = '/api/v1/collections/notes/records'
const batch = (...requests: object[]) => ({
  method: 'POST',
  path: '/api/v1/batch',
  body: JSON.stringify({ requests }),
})

it.each<[string, { method: string; path: string; body?: string }, object[]]>([
  ['a read', { method: 'GET', path: `${at}/a` }, []],
  ['an update', { method: 'PATCH', path: `${at}/a?fields=id` }, [{ table: 'notes', id: 'a' }]],
  ['an encoded id', { method: 'DELETE', path: `${at}/a%2Fb` }, [{ table: 'notes', id: 'a/b' }]],
  ['an id with a slash', { method: 'DELETE', path: `${at}/a/b` }, [{ table: 'notes', id: 'a/b' }]],
  [
    'a path that is not normal',
    { method: 'DELETE', path: '/api//v1/./Collections/notes/%72ecords/a' },
    [{ table: 'notes', id: 'a' }],
  ],
  ['an id that leads upwards', { method: 'DELETE', path: `${at}/..` }, [{ table: 'notes', id: '..' }]],
  ['a table', { method: 'DELETE', path: '/api/v1/collections/notes' }, [{ table: 'notes', id: undefined }]],
  [
    'a list of records',
    { method: 'PUT', path: at, body: '[{"id":"a"},{"id":"b"}]' },
    [
      { table: 'notes', id: 'a' },
      { table: 'notes', id: 'b' },
    ],
  ],
  [
    'a batch in other letters',
    { ...batch({ method: 'DELETE', url: `http://127.0.0.1${at}/a` }), path: '/API/v1/Batch/' },
    [{ table: 'notes', id: 'a' }],
  ],
  ['any other method', { method: 'PURGE', path: `${at}/a` }, [{ table: 'notes', id: 'a' }]],
  ['a whole table', { method: 'delete', path: at }, [{ table: 'notes', id: undefined }]],
  ['a create', { method: 'POST', path: at, body: '{"title":"x"}' }, []],
  ['a create with its id', { method: 'POST', path: at, body: '{"id":"a"}' }, [{ table: 'notes', id: 'a' }]],
  ['another path', { method: 'POST', path: '/api/v1/collections/notes/auth-refresh' }, []],
  [
    'the entries of a batch',
    batch(
      { method: 'DELETE', url: `${at}/a` },
      { method: 'PUT', url: at, body: { id: 'b' } },
      { method: 'POST', url: at, body: {} },
      { method: 'GET', url: `${at}/c` },
      { method: 7 },
    ),
    [
      { table: 'notes', id: 'a' },
      { table: 'notes', id: 'b' },
    ],
  ],
])('%s', (_, request, expected) => {
  expect(writtenRecords(request, '/api/v1').map(({ table, id }) => ({ table, id }))).toEqual(expected)
})
