import type { PlannedCheck } from '../suites.ts'

/** Checks that are asked for one by one, until no more will be: what `runOrder` runs in place of its own list. */
export class AskedChecks implements AsyncIterable<PlannedCheck> {
  readonly #waiting: PlannedCheck[] = []
  #wake = () => {}
  #ended = false

  ask(check: PlannedCheck): void {
    this.#waiting.push(check)
    this.#wake()
  }

  /** No more will be asked for. */
  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PlannedCheck> {
    for (;;) {
      const check = this.#waiting.shift()
      if (check !== undefined) yield check
      else if (this.#ended) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
