import { expect, test } from 'vitest'
import { operations } from '../../spec/openapi.ts'
import { authTables, makeAuthWorld } from '../../test/support/auth-world.ts'

const mebibyte = 1024 * 1024
/** A disabled method is reported first. */
const oauth2 = { enabled: true, providers: [] }
const tables = authTables.map((table) => (table.name === 'members' ? { ...table, oauth2 } : table))

test.each(operations().map(({ id, method, path }) => [id, method, path] as const))(
  '%s rejects a body that is announced to be too large, and reads none of it',
  async (id, method, path) => {
    const world = await makeAuthWorld({ tables })
    const { id: account } = await world.join('members', 'a@example.com')
    const token = id === 'impersonate' ? world.superuser : await world.signIn('members', 'a@example.com')
    const line = `${method} ${path.replace('/api/v1', '').replace('{table}', 'members').replace('{id}', account)}`
    const announced = (length: number, at = line) =>
      world.call(at, method === 'GET' ? undefined : {}, token, { 'content-length': String(length) })
    const limit = (id === 'batch' ? 128 : 32) * mebibyte
    expect((await announced(limit + 1)).status).toBe(413)
    expect((await announced(2)).status).not.toBe(413)
    // A missing table is reported first.
    if (id !== 'batch') expect((await announced(limit + 1, line.replace('members', 'none'))).status).toBe(404)
  },
)
