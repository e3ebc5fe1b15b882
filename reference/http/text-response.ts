/**
 * Responses whose text is complete. A native `Response` makes a stream and a list of headers first, which takes longer
 * than to respond to the request, and a socket needs neither.
 *
 * @module
 */

/** The parts of a response that a socket sends. */
export interface ResponseParts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent: no body. */
  readonly text?: string
}

/** Looks like a `Response`, and becomes a native one as soon as anything other than its status is read. */
class TextResponse {
  readonly #parts: ResponseParts
  #native: Response | undefined

  constructor(parts: ResponseParts) {
    this.#parts = parts
  }

  static unchangedParts(response: object): ResponseParts | undefined {
    // Code that has read the headers may have changed them.
    return #parts in response && response.#native === undefined ? response.#parts : undefined
  }

  static nativeOf(response: object): Response | undefined {
    if (!(#parts in response)) return undefined
    const { status, headers, text = null } = response.#parts
    response.#native ??= new Response(text, { status, headers })
    return response.#native
  }

  static textIn(response: object): string | undefined {
    return #parts in response ? response.#parts.text : undefined
  }

  get status(): number {
    return this.#parts.status
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
}

/**
 * The prototype of Node's own class. Another library may have replaced the global one by a subclass, which expects its
 * private members in every instance.
 */
function nativePrototype(): object {
  if (typeof Response === 'undefined')
    throw new Error(
      'This test environment has no Response and no Request, which the reference needs. In Jest, use ' +
        'testEnvironment: "jest-fixed-jsdom" instead of "jsdom" (npm i -D jest-fixed-jsdom).',
    )
  let found: object = Response.prototype
  for (;;) {
    const next = Object.getPrototypeOf(found) as object | null
    if (next === null || next === Object.prototype) return found
    found = next
  }
}

const native = nativePrototype()
Object.setPrototypeOf(TextResponse.prototype, native)
for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(native))) {
  if (name === 'constructor' || Object.hasOwn(TextResponse.prototype, name)) continue
  // Compared by name: another library may have replaced the global class.
  const made = (response: object) => TextResponse.nativeOf(response) as unknown as Record<string, unknown>
  const ask = {
    get(this: object) {
      return made(this)[name]
    },
  }
  const call = {
    value(this: object, ...given: unknown[]) {
      const own = made(this)
      return (own[name] as (...given: unknown[]) => unknown).apply(own, given)
    },
  }
  Object.defineProperty(TextResponse.prototype, name, { ...(get ? ask : call), configurable: true })
}

/** A response with these parts. Only `nativeResponse` makes it fit for everything that takes a `Response`. */
export function textResponse(parts: ResponseParts): Response {
  return new TextResponse(parts) as unknown as Response
}

/** The parts of a response that `textResponse` made and that is unchanged. */
export function unchangedParts(response: Response): ResponseParts | undefined {
  return TextResponse.unchangedParts(response)
}

/** The text of a response that `textResponse` made. */
export function responseTextIn(response: Response): string | undefined {
  return TextResponse.textIn(response)
}

/** The same response as a native `Response`. */
export function nativeResponse(response: Response): Response {
  return TextResponse.nativeOf(response) ?? response
}
