import { expect, it } from 'vitest'
import type { Api } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { removeFirst } from './record-entry.ts'

/** @returns what a delete as the superuser and then as the owner returns, and who sent a delete */
async function removal(superuser: number, owner: number) {
  const sent: string[] = []
  const client = (name: string, status: number) =>
    ({
      delete: async () => {
        sent.push(name)
        return { status, exchange: { response: { body: name } } }
      },
    }) as unknown as Api
  const session = { actors: { knows: () => true }, mostAble: () => client('superuser', superuser) }
  const viewers = [async () => client('owner', owner)]
  const { status, reason } = await removeFirst(session as unknown as Wire, {
    table: 'notes',
    id: 'a',
    viewers,
  })
  return { status, reason, sent }
}

it('deletes as the client that created the record where the server rejects the superuser', async () => {
  expect(await removal(401, 204)).toMatchObject({ status: 204, sent: ['superuser', 'owner'] })
  expect(await removal(403, 204)).toMatchObject({ status: 204 })
})

it('returns the response to the superuser if no one may delete the record', async () => {
  expect(await removal(401, 403)).toMatchObject({ status: 401, reason: 'superuser' })
})

it.each([204, 404, 500])('asks no one else after a %i for the superuser', async (status) => {
  expect(await removal(status, 204)).toMatchObject({ status, sent: ['superuser'] })
})
