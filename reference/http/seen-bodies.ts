/**
 * Bodies that went past while a request was answered, for whoever wants to look at them later. Nothing is read or
 * copied for it, and what nobody holds any more is forgotten.
 *
 * @module
 */

/** Larger bodies are not kept. Bytes of a request, or characters of a response. */
const largest = 1024 * 1024

const requests = new WeakMap<Request, Uint8Array>()
const responses = new WeakMap<Response, string>()

export function keepRequestBody(request: Request, bytes: Uint8Array): void {
  if (bytes.byteLength <= largest) requests.set(request, bytes)
}

/** Returns the response itself. */
export function keepResponseText(response: Response, text: string): Response {
  if (text.length <= largest) responses.set(response, text)
  return response
}

/** Undefined if the body was not read, as for a request that was rejected earlier. */
export function seenRequestBody(request: Request): Uint8Array | undefined {
  return requests.get(request)
}

export function seenResponseText(response: Response): string | undefined {
  return responses.get(response)
}
