import { expect, it } from 'vitest'
import { encodeForm } from '../harness/wire/encode-form.ts'
import { timed } from '../scripts/support/timed.ts'
import { expectWithin } from '../test/support/expect-within.ts'
import { batchEntries } from './batch-entries.ts'

const requests = [{ method: 'POST', url: '/api/v1/collections/plain/records', body: { title: 'a\r\n--b' } }]

it.each([
  ['text', JSON.stringify({ requests })],
  ['bytes', Buffer.from(JSON.stringify({ requests }))],
])('reads JSON as %s', (_, body) => {
  expect(batchEntries(body)).toEqual(requests)
})

it('reads a form with files', async () => {
  const form = new FormData()
  form.append('@jsonPayload', JSON.stringify({ requests }))
  form.append('requests.0.file', new File(['x'], 'x.txt'))
  expect(batchEntries((await encodeForm(form, (_, value) => value)).bytes)).toEqual(requests)
})

it.each([undefined, '', '{', '[]', 'null', '{"requests":7}', '--x\r\n\r\n'])(
  'finds nothing in %j',
  (body) => {
    expect(batchEntries(body)).toBeUndefined()
  },
)

it('finds the payload of a form in a long text, and quickly that there is none', () => {
  const named = 'name=@jsonPayload\n'.repeat(16_000)
  const [none, ms] = timed(() => batchEntries(named))
  expect(none).toBeUndefined()
  expectWithin(ms, 500)
  const form = `--b\r\nContent-Disposition: form-data; name="@jsonPayload"\r\nContent-Type: text/plain\r\n\r\n{"requests":[{"method":"POST"}]}\r\n--b--`
  expect(batchEntries(form)).toEqual([{ method: 'POST' }])
})
