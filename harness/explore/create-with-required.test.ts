import { expect, it } from 'vitest'
import type { Api, ApiResponse } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { createWithRequired } from './create-with-required.ts'

const responseOf = (status: number, body: unknown) =>
  ({
    status,
    ok: status < 300,
    headers: {},
    body,
    text: '',
    exchange: { request: { body: '{}' } },
  }) as ApiResponse

it('spells a field that a sentence names in words as records do', async () => {
  const items = [{ id: 'r1', unitPrice: 7 }]
  const api = { list: async () => responseOf(200, { items }) } as unknown as Api
  const session = { target: {} } as Wire
  const { response, table } = await createWithRequired(
    session,
    api,
    { role: 'plain', name: 'goods' },
    async ({ values }) =>
      values?.unitPrice === 7
        ? responseOf(200, {})
        : responseOf(422, { errors: ["Unit price can't be blank"] }),
  )
  expect(response.ok).toBe(true)
  expect(table.values).toEqual({ unitPrice: 7 })
})
