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

/** The values with which a create is accepted by a server that names each field in a sentence until it has a value. */
async function foundValues(items: readonly object[], field: string, sentence: string, value: unknown) {
  const api = { list: async () => responseOf(200, { items }) } as unknown as Api
  const session = { target: { explored: { plain: [{ role: 'plain', name: 'authors' }] } } } as unknown as Wire
  const { response, table } = await createWithRequired(
    session,
    api,
    { role: 'plain', name: 'goods' },
    async ({ values }) =>
      values?.[field] === value ? responseOf(200, {}) : responseOf(422, { errors: [sentence] }),
  )
  return response.ok ? table.values : undefined
}

it('spells a field that a sentence names in words as records do', async () => {
  const values = await foundValues([{ id: 'r1', unitPrice: 7 }], 'unitPrice', "Unit price can't be blank", 7)
  expect(values).toEqual({ unitPrice: 7 })
})

it.each([[[{ id: 'a1', authorId: 'a1' }], 'authorId'] as const, [[{ id: 'a1' }], 'author_id'] as const])(
  'names the id of what must exist: %j',
  async (items, field) => {
    expect(await foundValues(items, field, 'Author must exist', 'a1')).toEqual({ [field]: 'a1' })
  },
)
