/**
 * The latest requests with their responses, for the console and the control endpoints.
 *
 * @module
 */

import type { LoggedExchange } from '../exchange/logged-exchange.ts'
import { sizeOfMessage } from '../exchange/size-of-message.ts'
import type { LoggedRequest } from '../reference/testing/logged-request.ts'

/** A request with its secrets, for the server to send again. */
export type OriginalRequest = Pick<LoggedRequest, 'method' | 'url' | 'requestHeaders' | 'requestText'>

/** Most exchanges that are kept; the oldest is dropped first. */
export const keptExchanges = 500

/** Most characters of the kept exchanges together; the oldest are dropped first. */
const keptCharacters = 16 * 1024 * 1024

export interface ExchangeLog {
  /** Oldest first. */
  list(): readonly LoggedExchange[]
  get(id: number): LoggedExchange | undefined
  /** The request as it was sent. Undefined if it was not kept. */
  sent(id: number): OriginalRequest | undefined
  /**
   * Adds an exchange and gives it an id.
   *
   * @param sent the request with its secrets, to be sent again; it is never shown
   * @param of the request of the reference that the exchange was made from
   */
  add(exchange: Omit<LoggedExchange, 'id'>, sent?: OriginalRequest, of?: LoggedRequest): LoggedExchange
  /** Id of the exchange that was made from a request of the reference. Undefined if it is not recorded. */
  idOf(request: LoggedRequest): number | undefined
  /** Counts requests that are so old that they would not be kept any more. */
  skip(requests: number): void
  /** Number of requests that came faster than they could be recorded. They are counted and not kept. */
  readonly notRecorded: number
  /** Counts one of these requests. */
  missed(): void
  /** Calls `also` when the log is cleared. @returns a function that removes it */
  onClear(also: () => void): () => void
  clear(): void
  /** Sets the mark: `sinceMark` returns what comes after it. */
  mark(): void
  sinceMark(): { requests: LoggedExchange[]; notRecorded: number }
  /** @returns a function that removes the listener */
  follow(listener: (exchange: LoggedExchange) => void): () => void
  /** Whether there is a listener. */
  readonly followed: boolean
}

export function createExchangeLog(): ExchangeLog {
  let exchanges: LoggedExchange[] = []
  let characters = 0
  const sentById = new Map<number, OriginalRequest>()
  const idOfRequest = new WeakMap<LoggedRequest, number>()
  const clearers = new Set<() => void>()
  const listeners = new Set<(exchange: LoggedExchange) => void>()
  let next = 1
  let notRecorded = 0
  let mark = { id: 0, notRecorded: 0 }
  return {
    list: () => [...exchanges],
    get: (id) => exchanges.find((one) => one.id === id),
    sent: (id) => sentById.get(id),
    idOf: (request) => idOfRequest.get(request),
    add(facts, sent, of) {
      const exchange = { id: next, ...facts }
      next += 1
      exchanges.push(exchange)
      if (of !== undefined) idOfRequest.set(of, exchange.id)
      characters += sizeOf(exchange) + sizeOfSent(sent)
      if (sent !== undefined) sentById.set(exchange.id, sent)
      while (exchanges.length > 1 && (exchanges.length > keptExchanges || characters > keptCharacters)) {
        const oldest = exchanges.shift()
        if (oldest === undefined) break
        characters -= sizeOf(oldest) + sizeOfSent(sentById.get(oldest.id))
        sentById.delete(oldest.id)
      }
      for (const listener of listeners) listener(exchange)
      return exchange
    },
    skip(requests) {
      next += requests
    },
    get notRecorded() {
      return notRecorded
    },
    missed() {
      notRecorded += 1
    },
    onClear(also) {
      clearers.add(also)
      return () => void clearers.delete(also)
    },
    clear() {
      for (const also of clearers) also()
      exchanges = []
      sentById.clear()
      characters = 0
      notRecorded = 0
    },
    mark() {
      mark = { id: next - 1, notRecorded }
    },
    sinceMark: () => ({
      requests: exchanges.filter(({ id }) => id > mark.id),
      // Clearing the log resets the count as well.
      notRecorded: Math.max(0, notRecorded - mark.notRecorded),
    }),
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get followed() {
      return listeners.size > 0
    },
  }
}

/** Counts the parts that can be long. Findings have a limit of their own. */
function sizeOf({ path, request, response }: LoggedExchange): number {
  return path.length + sizeOfMessage(request) + sizeOfMessage(response)
}

function sizeOfSent(sent: OriginalRequest | undefined): number {
  if (sent === undefined) return 0
  const headers = Object.fromEntries(sent.requestHeaders)
  return sent.url.length + sizeOfMessage({ headers, body: sent.requestText })
}
