/**
 * How long a server may say nothing after the run was stopped.
 *
 * While it responds, the clean-up has unlimited time. One that hangs would cost a time limit for each request: almost three
 * minutes, and `docker stop` gives ten seconds. What is left then is in the journal.
 *
 * @module
 */

/** Milliseconds without any response. The rest of ten seconds is for the last probes and the report. */
export const longestSilence = 7_000

export class Silence {
  readonly #underWay = new Set<() => void>()
  readonly #stop: AbortSignal
  #timer: NodeJS.Timeout | undefined
  /** Whether the server has been silent for too long: it gets no further request. */
  isOver = false

  constructor(stop: AbortSignal) {
    this.#stop = stop
    stop.addEventListener('abort', () => this.#listen(), { once: true })
  }

  /** To be called when a request is sent. @param giveUp ends it @returns to be called when it has ended */
  during(giveUp: () => void): (hasResponded: boolean) => void {
    this.#underWay.add(giveUp)
    this.#listen()
    return (hasResponded) => {
      this.#underWay.delete(giveUp)
      if (!hasResponded) return
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#listen()
    }
  }

  /** While something is under way, since the last response or the stop. */
  #listen(): void {
    if (!this.#stop.aborted || this.#timer !== undefined || this.#underWay.size === 0) return
    this.#timer = setTimeout(() => {
      this.isOver = true
      for (const giveUp of [...this.#underWay]) giveUp()
    }, longestSilence).unref()
  }
}

const silences = new WeakMap<AbortSignal, Silence>()

/** The same one for all sessions of a run. @param stop of the run */
export function silenceAfter(stop: AbortSignal): Silence {
  const known = silences.get(stop) ?? new Silence(stop)
  silences.set(stop, known)
  return known
}
