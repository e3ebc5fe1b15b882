/**
 * One line that shows the current step and its duration: updated on a terminal, repeated as a plain line elsewhere.
 *
 * @module
 */

export interface LiveLine {
  /** Changes what the line says. */
  say(state: string): void
  /** Shows it now. */
  draw(): void
  /** Removes the line from a terminal until the next update. */
  wipe(): void
  /** Removes the line for good. */
  end(): void
}

export interface LiveLineOptions {
  write(text: string): void
  /** Whether output is a terminal, on which a line can be updated. */
  live: boolean
  /** Width of the terminal. */
  columns?: number
  /** The first text. */
  state: string
  /** Interval between plain lines, in ms, when output is not a terminal. @default no plain lines */
  plainEvery?: number
}

/** Milliseconds between updates of the live line, even if nothing happens. */
const tick = 500
/** Milliseconds by which a timer may fire early: its second counts as passed. */
const early = 20

export function createLiveLine({ write, live, columns = 80, state, plainEvery }: LiveLineOptions): LiveLine {
  const begin = performance.now()
  let current = state
  const text = () => {
    const seconds = Math.floor((performance.now() - begin + early) / 1000)
    return `${current}${seconds === 0 ? '' : `  ${seconds} s`}`
  }
  const draw = () => write(live ? `\r\u001b[K${text().slice(0, columns - 1)}` : `${text()}\n`)
  const every = live ? tick : plainEvery
  const clock = every === undefined ? undefined : setInterval(draw, every).unref()
  const wipe = () => {
    if (live) write('\r\u001b[K')
  }
  return {
    say(next) {
      current = next
    },
    draw,
    wipe,
    end() {
      clearInterval(clock)
      wipe()
    },
  }
}
