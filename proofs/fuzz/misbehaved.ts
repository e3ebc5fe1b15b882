import type { FailureClass } from './vocabulary.ts'

/** Thrown by everything that judges a server; whatever else is thrown is an error of the fuzzer. */
export class Misbehaved extends Error {
  readonly class: FailureClass
  /** Equal for equal defects. */
  readonly signature: string
  /** Which input of a session it was, if it was one. */
  at?: number

  constructor(failureClass: FailureClass, detail: string, message: string) {
    super(message)
    this.class = failureClass
    this.signature = `${failureClass} ${detail}`
  }
}
