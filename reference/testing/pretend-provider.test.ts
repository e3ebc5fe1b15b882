import { describe, expect, it } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { createClock, createEnvironment } from '../environment/environment.ts'
import { createPretendProvider, withPretended } from './pretend-provider.ts'

describe('the definition of a table with pretended providers', () => {
  const page = 'http://127.0.0.1:1/page'
  const own = {
    name: 'google',
    clientId: 'own',
    authURL: 'https://accounts.example/authorize',
    extra: { issuers: ['https://accounts.example'] },
  }
  const other = { name: 'github', clientId: 'other', clientSecret: 'secret' }
  const staff: TableDefinition = {
    name: 'staff',
    type: 'auth',
    oauth2: { enabled: false, providers: [own, other] },
  }

  it('gets those that it lacks, and keeps the client of those that it has', () => {
    const { oauth2 } = withPretended({ pretend: ['google', 'gitlab'], page }, staff)
    expect(oauth2?.enabled).toBe(true)
    expect(oauth2?.providers).toEqual([
      expect.objectContaining({ name: 'google', clientId: 'own', authURL: page, extra: {} }),
      other,
      expect.objectContaining({ name: 'gitlab', clientId: 'pretend', authURL: page }),
    ])
  })

  it('stays as it is without any, and if no one can sign in there', () => {
    const notes = { name: 'notes', type: 'base' } as const
    expect(withPretended({ pretend: ['google'], page }, notes)).toBe(notes)
    expect(withPretended({ page }, staff)).toBe(staff)
  })
})

it('gives the address of a user only if the provider has verified it', async () => {
  const provider = createPretendProvider(createEnvironment({ clock: createClock() }), () => {})
  const emailOf = async (emailVerified?: boolean) => {
    const { code } = provider.next({ sub: 'ann', email: 'ann@example.com', emailVerified })
    const redemption = { code, codeVerifier: '', redirectURL: 'http://app.example/' }
    const user = await provider.redeem({ name: 'google', clientId: 'a', clientSecret: 'b' }, redemption, 0)
    return [user?.email, user?.rawUser.email_verified]
  }
  expect(await emailOf()).toEqual(['ann@example.com', true])
  expect(await emailOf(false)).toEqual(['', false])
})
