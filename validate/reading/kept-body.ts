/** Default maximum size of a body that is kept for validation: 32 MiB. */
export const defaultLimit = 32 * 1024 * 1024

/** Why a body is not validated that is larger than the limit in bytes. */
export function overLimit(limit: number): string {
  const [size, unit] =
    limit % 1_048_576 === 0
      ? [limit / 1_048_576, 'MiB']
      : limit % 1024 === 0
        ? [limit / 1024, 'KiB']
        : [limit, 'bytes']
  return `the body is larger than the limit of ${size} ${unit}`
}

/**
 * Collects the bytes of a body up to a limit. Above the limit nothing is kept: an incomplete body cannot be validated,
 * and its memory is freed.
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

  /** @param chunk not copied: copy it first if its memory is reused */
  add(chunk: Uint8Array): void {
    this.size += chunk.length
    if (this.over) this.#chunks = []
    else this.#chunks.push(chunk)
  }

  /** Whether more than the limit was added. */
  get over(): boolean {
    return this.size > this.#limit
  }

  /** Why the body is not validated, in the words of `ValidationResult.unjudged`; undefined if it can be. */
  get unjudged(): string | undefined {
    return this.over ? overLimit(this.#limit) : undefined
  }

  /** All bytes; empty above the limit. */
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
