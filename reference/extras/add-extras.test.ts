import { expect, test } from 'vitest'
import { type AnyReference, createReference } from '../reference.ts'

test('only superusers see more than that the server is healthy', async () => {
  const account = { id: 'account00000001', email: 'ann@example.com', password: 'password1' }
  const reference: AnyReference = createReference({
    tables: [{ name: 'members', type: 'auth' }],
    records: { members: [account] },
    superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
  })
  const root = await reference.records.find('_superusers', { email: 'root@example.com' })
  const seen = async (authorization: string) => {
    const response = await reference.fetch('/api/v1/health', { headers: { authorization } })
    return Object.keys(((await response.json()) as { data: object }).data)
  }
  const tokens = [
    '',
    await reference.tokenFor('members', account.id),
    await reference.tokenFor('_superusers', String(root?.id)),
  ]
  expect(await Promise.all(tokens.map(seen))).toEqual([
    [],
    [],
    ['canBackup', 'possibleProxyHeader', 'realIP'],
  ])
})
