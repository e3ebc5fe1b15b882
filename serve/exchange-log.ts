/**
 * The last requests with their answers, for the console and the control endpoints.
 *
 * @module
 */

import type { LoggedExchange } from './logged-exchange.ts'

const kept = 500

export interface ExchangeLog {
  /** Oldest first. */
  list(): readonly LoggedExchange[]
  get(id: number): LoggedExchange | undefined
  /** Gives the exchange its id. */
  add(exchange: Omit<LoggedExchange, 'id'>): LoggedExchange
  /** Says that an exchange was judged. */
  changed(exchange: LoggedExchange): void
  clear(): void
  /** @returns what ends it */
  follow(listener: (exchange: LoggedExchange) => void): () => void
}

export function createExchangeLog(): ExchangeLog {
  let exchanges: LoggedExchange[] = []
  const listeners = new Set<(exchange: LoggedExchange) => void>()
  let next = 1
  const tell = (exchange: LoggedExchange) => {
    for (const listener of listeners) listener(exchange)
  }
  return {
    list: () => exchanges,
    get: (id) => exchanges.find((one) => one.id === id),
    add(facts) {
      const exchange = { id: next, ...facts }
      next += 1
      exchanges.push(exchange)
      if (exchanges.length > kept) exchanges = exchanges.slice(-kept)
      tell(exchange)
      return exchange
    },
    changed: tell,
    clear() {
      exchanges = []
    },
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
