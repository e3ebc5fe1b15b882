import { expect, it } from 'vitest'
import type { WireResponse } from '../wire/exchange-bytes.ts'
import type { Transport } from '../wire/transport.ts'
import { requestSender } from './send-request.ts'

function sending(body: string) {
  const response = { status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(body) }
  const send = async () => response as unknown as WireResponse
  return requestSender({ send } as unknown as Transport, 'http://127.0.0.1:9')
}

it('reads JSON', async () => {
  expect(await sending('{"items":[]}')('/')).toMatchObject({ status: 200, body: { items: [] } })
})

it.each([
  ['more values than a run reads', `[${'[],'.repeat(1_000_000)}[]]`],
  ['more levels', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
  ['no JSON', 'nothing'],
])('leaves the body of %s unread', async (_name, body) => {
  const response = await sending(body)('/')
  expect(response.text).toHaveLength(body.length)
  expect(response.body).toBeUndefined()
})
