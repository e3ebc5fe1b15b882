import PocketBase, { BaseAuthStore } from 'pocketbase'
import { withReference } from 'record-auth-conformance/vitest'
import { expect } from 'vitest'

const own = 'owner = @request.auth.id'
const tables = [
  { id: 'notes_users_001', name: 'users', type: 'auth', createRule: '', viewRule: '' },
  {
    name: 'notes',
    listRule: own,
    createRule: own,
    fields: [
      { name: 'text', type: 'text', required: true },
      { name: 'owner', type: 'relation', collectionId: 'notes_users_001', required: true },
    ],
  },
]

// Every test gets a fork of its own, in well under a millisecond: they may all run at the same time.
const test = withReference({ tables, prefix: '/api', seed: 1 }, async (reference) => {
  await reference.records.create('users', { email: 'ann@example.com', password: 'correct horse' })
})

function clientOf(reference) {
  const client = new PocketBase('http://notes.test', new BaseAuthStore())
  client.beforeSend = (url, options) => ({ url, options: { ...options, fetch: reference.fetch } })
  return client
}

test.concurrent('signs in and keeps a note', async ({ reference }) => {
  const client = clientOf(reference)
  const { record } = await client.collection('users').authWithPassword('ann@example.com', 'correct horse')
  await client.collection('notes').create({ text: 'Buy milk', owner: record.id })
  expect((await client.collection('notes').getFullList()).map(({ text }) => text)).toEqual(['Buy milk'])
  reference.requests.assert('createRecord', { times: 1 })
})

test.concurrent('sees nothing of what others wrote', async ({ reference }) => {
  await reference.make('notes', 20)
  expect((await clientOf(reference).collection('notes').getList()).totalItems).toBe(0)
})

test.concurrent('says so when the server is busy', async ({ reference }) => {
  reference.fault({ match: 'listRecords', status: 429, times: 1 })
  await expect(clientOf(reference).collection('notes').getList()).rejects.toMatchObject({ status: 429 })
})
