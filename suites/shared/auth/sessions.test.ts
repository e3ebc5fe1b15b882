import { expect, it } from 'vitest'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { Account } from './accounts.ts'
import { firstSignIn } from './sessions.ts'

it('shows a rejected sign-in as it was recorded, without the secrets in it', async () => {
  const response = (text: string) =>
    ({
      status: 400,
      ok: false,
      text,
      body: JSON.parse(text) as unknown,
      exchange: { response: { body: text.replace(/opaque\w+/, '$TOKEN') } },
    }) as ApiResponse
  const api = {
    authWithPassword: (_: unknown, { password }: { password: string }) =>
      Promise.resolve(
        response(
          password === 'right'
            ? `{"message":"verify first, with ${'opaque'.repeat(20)}"}`
            : '{"message":"wrong"}',
        ),
      ),
  }
  const context = { api, knows: () => false, has: () => false } as unknown as CheckContext
  const account = { table: { name: 'members' }, email: 'a@b.c', password: 'right', record: {} }
  const signIn = firstSignIn(context, account as unknown as Account)
  await expect(signIn).rejects.toThrow('(400 {"message":"verify first, with $TOKEN"})')
})
