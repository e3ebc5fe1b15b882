import type { RequestFacts } from './plain-exchange.ts'

/** Requests of responses that do not say what they respond to. */
const requests = new WeakMap<object, RequestFacts>()

/** Remembers the request of a response, for the validator. Garbage-collected with the response. */
export function rememberRequest(response: object, request: RequestFacts): void {
  requests.set(response, request)
}

/** The request of a response that was remembered. */
export function rememberedRequest(response: object): RequestFacts | undefined {
  return requests.get(response)
}
