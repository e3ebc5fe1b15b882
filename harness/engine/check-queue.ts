import type { PlannedCheck } from '../planning/suites.ts'

/** A queue of checks that are requested one by one until it is closed. `runAssignment` runs it instead of its list. */
export class CheckQueue implements AsyncIterable<PlannedCheck> {
  readonly #waiting: PlannedCheck[] = []
  #wake = () => {}
  #closed = false

  add(check: PlannedCheck): void {
    this.#waiting.push(check)
    this.#wake()
  }

  close(): void {
    this.#closed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PlannedCheck> {
    for (;;) {
      const check = this.#waiting.shift()
      if (check !== undefined) yield check
      else if (this.#closed) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
