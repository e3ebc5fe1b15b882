/**
 * A handler that wraps another one, observes the response, and may end it with an error.
 *
 * @module
 */

import { setImmediate } from 'node:timers'
import type { Dispatcher } from 'undici'
import type { HeaderBag } from '../../exchange/plain-exchange.ts'

/** Observes one response. */
export interface WatchedResponse {
  /** Called with the final head. @returns whether to delay the response until it is validated */
  start(status: number, headers: HeaderBag | readonly string[]): boolean
  /** @returns false if there is too much to delay */
  add(chunk: Uint8Array): boolean
  /** @returns the error that replaces the end, or undefined if the response conforms */
  judge(): Error | undefined
}

type Handler = Dispatcher.DispatchHandler
type CallbackOf<Key extends keyof Handler> = NonNullable<Handler[Key]>

/**
 * Implements both forms of undici's handlers. Dispatchers of undici 7 and later use the one with controllers; those of
 * undici 6, which is also built into Node 20 and 22, call `onConnect`, `onHeaders` and so on, and pass such handlers.
 */
export function watchingHandler(handler: Handler, watched: WatchedResponse): Handler & Legacy {
  /** The delayed calls in order; undefined if nothing is delayed. */
  let held: (() => unknown)[] | undefined

  function pass<T>(deliver: () => T): T | true {
    if (held === undefined) return deliver()
    held.push(deliver)
    return true
  }

  function release(): void {
    const deliveries = held ?? []
    held = undefined
    for (const deliver of deliveries) deliver()
  }

  function start<T>(status: number, headers: HeaderBag | readonly string[], deliver: () => T): T | true {
    // 100 Continue and 103 Early Hints come before the response.
    if (status >= 200) held = watched.start(status, headers) ? [] : undefined
    return pass(deliver)
  }

  function data<T>(chunk: Uint8Array, deliver: () => T): T | true {
    const small = watched.add(chunk)
    if (held !== undefined && !small) release()
    return pass(deliver)
  }

  function end(deliver: () => void, fail: (error: Error) => void): void {
    const error = watched.judge()
    if (error === undefined) {
      release()
      deliver()
      return
    }
    held = undefined
    // In a separate turn of the event loop. A small response begins and ends in one turn, and `fetch` listens for
    // errors of the body only after the turn of the head: an immediate error is lost, and reading the body never
    // settles.
    setImmediate(fail, error)
  }

  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStart(controller, status, headers, message) {
      start(status, headers, () => handler.onResponseStart?.(controller, status, headers, message))
    },
    onResponseData(controller, chunk) {
      const bytes = held === undefined ? chunk : Buffer.from(chunk)
      data(chunk, () => handler.onResponseData?.(controller, bytes))
    },
    onResponseEnd(controller, trailers) {
      end(
        () => handler.onResponseEnd?.(controller, trailers),
        (error) => handler.onResponseError?.(controller, error),
      )
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),

    onConnect: (...args: Parameters<CallbackOf<'onConnect'>>) => handler.onConnect?.(...args),
    onUpgrade: (...args: Parameters<CallbackOf<'onUpgrade'>>) => handler.onUpgrade?.(...args),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onBodySent: (...args: Parameters<CallbackOf<'onBodySent'>>) => handler.onBodySent?.(...args),
    onRequestSent: () => (handler as Legacy).onRequestSent?.(),
    onHeaders(status, headers, resume, message) {
      const list = headers.map((each) => each.toString('latin1'))
      return start(status, list, () => handler.onHeaders?.(status, headers, resume, message) ?? true)
    },
    onData(chunk) {
      const bytes = held === undefined ? chunk : Buffer.from(chunk)
      return data(chunk, () => handler.onData?.(bytes) ?? true)
    },
    onComplete(trailers) {
      end(
        () => handler.onComplete?.(trailers),
        (error) => handler.onError?.(error),
      )
    },
    onError: (error) => handler.onError?.(error),
  }
}

/** A callback of undici 6 that the types of undici 7 lack. */
interface Legacy {
  onRequestSent?(): void
}
