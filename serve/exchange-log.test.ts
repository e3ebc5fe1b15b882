import { expect, it, vi } from 'vitest'
import type { LoggedExchange } from '../exchange/logged-exchange.ts'
import { createExchangeLog } from './exchange-log.ts'

const exchange = (body: string, header = ''): Omit<LoggedExchange, 'id'> => ({
  at: '2030-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/',
  caller: 'anonymous',
  status: 200,
  duration: 1,
  request: { headers: { 'x-long': header } },
  response: { headers: {}, body },
})

it('keeps the newest 500', () => {
  const log = createExchangeLog()
  for (let turn = 0; turn < 600; turn += 1) log.add(exchange(''))
  expect(log.list().map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, at) => at + 101))
  expect(log.get(100)).toBeUndefined()
})

it('keeps no more than 16 MiB of characters, long headers counted', () => {
  const log = createExchangeLog()
  const long = 'x'.repeat(1024 * 1024)
  for (let turn = 0; turn < 20; turn += 1)
    log.add(exchange(turn % 2 === 0 ? long : '', turn % 2 === 0 ? '' : long))
  expect(log.list().length).toBe(15)
  log.add(exchange('x'.repeat(20 * 1024 * 1024)))
  expect(log.list().map(({ id }) => id)).toEqual([21])
  log.clear()
  for (let turn = 0; turn < 15; turn += 1) log.add(exchange(long))
  expect(log.list().length).toBe(15)
})

it('counts what was not recorded until it is cleared', () => {
  const log = createExchangeLog()
  log.missed()
  log.missed()
  expect(log.notRecorded).toBe(2)
  log.clear()
  expect(log.notRecorded).toBe(0)
})

it('forgets the secrets of a request with it', () => {
  const log = createExchangeLog()
  const sent = { method: 'GET', url: 'http://x/', requestHeaders: new Headers(), requestText: undefined }
  for (let turn = 0; turn < 501; turn += 1) log.add(exchange(''), sent)
  expect([log.sent(1), log.sent(2)]).toEqual([undefined, sent])
  log.clear()
  expect(log.sent(2)).toBeUndefined()
})

it('shows what came after the mark, and calls others when it is cleared', () => {
  const log = createExchangeLog()
  const cleared = vi.fn()
  const off = log.onClear(cleared)
  log.add(exchange(''))
  log.missed()
  log.mark()
  expect(log.sinceMark()).toEqual({ requests: [], notRecorded: 0 })
  log.missed()
  const { id } = log.add(exchange(''))
  expect(log.sinceMark()).toMatchObject({ requests: [{ id }], notRecorded: 1 })
  log.clear()
  off()
  log.clear()
  expect(cleared).toHaveBeenCalledTimes(1)
})
