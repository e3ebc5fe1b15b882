import { expect, it } from 'vitest'
import type { Api } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { removeAs } from './remove-as.ts'

it.each([
  ['{"status":403,"message":"Only superusers can\\n do this.","data":{}}\n', 'Only superusers can do this.'],
  ['{"error":"no"}\n', '{"error":"no"}'],
  ['<html>\n  <body>Forbidden', '<html> <body>Forbidden'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['', ''],
])('says in one line why a record was left: %j', async (body, reason) => {
  const api = { delete: async () => ({ status: 403, exchange: { response: { body } } }) }
  const removal = await removeAs({} as Wire, api as unknown as Api, { table: 'posts', id: 'a' })
  expect(removal).toEqual({ status: 403, reason })
})
