/** The largest body that is kept to be validated, unless an option says otherwise: 32 MiB. */
export const defaultLimit = 32 * 1024 * 1024

/**
 * The bytes of a body that passes by, kept up to a limit. Over the limit nothing is kept: half a body cannot be
 * validated, and its memory is better free.
 */
export class KeptBody {
  readonly #limit: number
  #chunks: Uint8Array[] = []
  /** Bytes that were added, kept or not. */
  size = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** @param chunk stays the caller's: copy it first where its memory is used again */
  add(chunk: Uint8Array): void {
    this.size += chunk.length
    if (this.over) this.#chunks = []
    else this.#chunks.push(chunk)
  }

  /** More than the limit was added. */
  get over(): boolean {
    return this.size > this.#limit
  }

  /** Why the body is not validated, in the words of `ValidationResult.unjudged`; undefined where it can be. */
  get unjudged(): string | undefined {
    return this.over ? `a body of more than ${this.#limit} bytes is over the limit` : undefined
  }

  /** All that was added; empty when that is over the limit. */
  bytes(): Uint8Array {
    const [first] = this.#chunks
    if (first === undefined) return new Uint8Array(0)
    if (this.#chunks.length === 1) return first
    const all = new Uint8Array(this.size)
    let at = 0
    for (const chunk of this.#chunks) {
      all.set(chunk, at)
      at += chunk.length
    }
    return all
  }
}
