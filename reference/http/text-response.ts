const utf8 = new TextEncoder()

type OfBody = 'body' | 'bodyUsed' | 'text' | 'json' | 'arrayBuffer' | 'bytes' | 'blob' | 'formData' | 'clone'

/** The platform's class without its body, which the types would not let anybody define anew. */
const Bodiless = Response as unknown as new (body: null, init: ResponseInit) => Omit<Response, OfBody>

/**
 * A response whose body is a text at hand. The platform's makes a stream of it at once, which nearly nobody reads: whoever
 * asks for text or JSON gets it from here, and a stream is made for whoever asks for one.
 */
export function textResponse(text: string, init: ResponseInit): Response {
  return new TextResponse(text, init)
}

class TextResponse extends Bodiless implements Response {
  readonly #text: string
  #used = false
  /** The platform's, once somebody has asked for what only that can give. */
  #whole: Response | undefined

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.#text = text
  }

  get body(): Response['body'] {
    return this.#streamed().body
  }

  get bodyUsed(): boolean {
    return this.#whole?.bodyUsed ?? this.#used
  }

  async text(): Promise<string> {
    return this.#whole === undefined ? this.#taken() : this.#whole.text()
  }

  // biome-ignore lint/suspicious/noExplicitAny: the platform's type.
  async json(): Promise<any> {
    return this.#whole === undefined ? JSON.parse(this.#taken()) : this.#whole.json()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole === undefined ? utf8.encode(this.#taken()).buffer : this.#whole.arrayBuffer()
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#whole === undefined
      ? utf8.encode(this.#taken())
      : new Uint8Array(await this.#whole.arrayBuffer())
  }

  async blob(): Promise<Blob> {
    return this.#streamed().blob()
  }

  async formData(): Promise<FormData> {
    return this.#streamed().formData()
  }

  clone(): Response {
    if (this.#whole !== undefined || this.#used) return this.#streamed().clone()
    const { status, statusText, headers } = this
    return textResponse(this.#text, { status, statusText, headers })
  }

  #taken(): string {
    if (this.#used) throw new TypeError('Body is unusable: it has been read already')
    this.#used = true
    return this.#text
  }

  #streamed(): Response {
    if (this.#whole === undefined) {
      const { status, statusText, headers } = this
      this.#whole = new Response(this.#text, { status, statusText, headers })
      // Read already: the stream says so, too.
      if (this.#used) void this.#whole.text()
    }
    return this.#whole
  }
}
