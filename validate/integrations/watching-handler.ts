/**
 * A handler that stands before another one, sees the response pass, and may end it in an error.
 *
 * @module
 */

import type { Dispatcher } from 'undici'
import type { HeaderBag } from '../../exchange/plain-exchange.ts'

/** What is to be seen of one response. */
export interface WatchedResponse {
  /** Called with the final head. @returns whether to hold it back until the response is judged */
  start(status: number, headers: HeaderBag | readonly string[]): boolean
  /** @returns false when there is too much to hold back */
  add(chunk: Uint8Array): boolean
  /** @returns the error that takes the place of the end, or undefined when the response may pass */
  judge(): Error | undefined
}

type Handler = Dispatcher.DispatchHandler
type CallbackOf<Key extends keyof Handler> = NonNullable<Handler[Key]>

/**
 * Speaks both forms of undici's handlers. Dispatchers of undici 7 and later take the one with controllers; those of
 * undici 6, which is also built into Node 20 and 22, call `onConnect`, `onHeaders` and so on, and pass such handlers in.
 */
export function watchingHandler(handler: Handler, watched: WatchedResponse): Handler & Legacy {
  /** What is held back, in its order; undefined when everything passes at once. */
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
    // In a turn of its own. A small response begins and ends in one, and `fetch` listens for errors of the body only
    // after the turn that brought the head: an error at once is lost, and reading the body never settles.
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

/** A callback of undici 6 that the types of undici 7 leave out. */
interface Legacy {
  onRequestSent?(): void
}
