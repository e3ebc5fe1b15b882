import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createReference } from '../reference/reference.ts'
import { createExchangeLog } from './exchange-log.ts'
import { recordExchanges } from './record-exchanges.ts'

/** Records `turns` views of a record with a text of this length. */
async function recorded(length: number, turns: number) {
  const reference = createReference({
    tables: [
      { name: 'notes', type: 'base', viewRule: '', fields: [{ name: 'text', type: 'text', max: 100_000 }] },
    ],
    records: { notes: [{ id: 'note00000000001', text: 'x'.repeat(length) }] },
  })
  const view = (turn: number) =>
    reference.fetch(`/api/v1/collections/notes/records/note00000000001?turn=${turn}`)
  const log = createExchangeLog()
  const recording = recordExchanges(reference, log)
  // Nothing is recorded before the validator is loaded, which happens with the first request that someone asks for.
  await view(-1)
  await recording.settled()
  log.clear()
  const add = vi.spyOn(log, 'add')
  for (let turn = 0; turn < turns; turn += 1) {
    await view(turn)
    if (turn % 50 === 0) await setImmediate()
  }
  const addedUnasked = add.mock.calls.length
  await recording.settled()
  recording.stop()
  return { addedUnasked, log }
}

it('records nothing before someone looks, however many requests of usual length there are', async () => {
  const { addedUnasked, log } = await recorded(4_500, 4_500)
  expect(addedUnasked).toBe(0)
  expect(log.list().map(({ path }) => path.split('=').at(-1))).toEqual(
    Array.from({ length: 500 }, (_, at) => String(4_000 + at)),
  )
})

it('records earlier where fewer than 500 requests are as much as it holds', async () => {
  const { addedUnasked, log } = await recorded(90_000, 400)
  expect(addedUnasked).toBeGreaterThan(0)
  expect(log.list().length + log.notRecorded).toBe(400)
})
