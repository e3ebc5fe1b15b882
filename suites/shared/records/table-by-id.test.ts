import { expect, it } from 'vitest'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { accountTableById } from '../auth/sessions.ts'
import { tableById } from './table-by-id.ts'

const table = { role: 'members', name: 'users' }
const record = (fields: Partial<WireRecord>) => ({ id: 'r1', ...fields }) as WireRecord

it('a table is named by the identifier that a record shows', () => {
  expect(tableById(table, record({ collectionId: 't1' }))).toEqual({ role: 'members', name: 't1' })
})

it('the identifier is unknown if no response shows it: then nothing is said about the server', () => {
  expect(() => tableById(table, record({}))).toThrow('no response shows the identifier of users')
})

it('the identifier comes from the account that a sign-in shows, if a client may not view it', async () => {
  const account = { table, record: record({}), id: 'r1', email: 'a@example.com', password: 'a secret' }
  const signingIn = (body: unknown) =>
    ({ api: { authWithPassword: async () => ({ ok: true, body }) } }) as unknown as CheckContext
  const shown = signingIn({ token: 'x', record: { id: 'r1', collectionId: 't1' } })
  expect((await accountTableById(shown, account)).name).toBe('t1')
  await expect(accountTableById(signingIn(null), account)).rejects.toThrow('no response shows')
})
