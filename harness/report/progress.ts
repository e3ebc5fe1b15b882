/**
 * The progress of a run: one line that is updated on a terminal, an occasional plain line elsewhere.
 *
 * @module
 */

import type { RunEvent } from '../vocabulary/run.ts'
import type { Paint } from './paint.ts'
import { headline, smokeLines } from './terminal.ts'
import { wrapped } from './wrapped.ts'

export interface ProgressOptions {
  /** Takes what belongs to the report: the first line, and what was found before the run. */
  write(text: string): void
  /** Takes what only says how far the run is. @default `write` */
  writeProgress?(text: string): void
  /** Whether the progress goes to a terminal, on which a line can be updated. */
  live: boolean
  /** Width of the terminal. */
  columns?: number
  paint: Paint
  quiet?: boolean
}

const plainEvery = 50
/** Milliseconds after which the live line shows that the run is alive, also when nothing happens. */
const tick = 500

/** Handles the events of a run; `clear` removes the live line before the report, and ends the clock. */
export function createProgress({
  write,
  writeProgress = write,
  live,
  columns = 80,
  paint,
  quiet = false,
}: ProgressOptions): {
  event(event: RunEvent): void
  clear(): void
} {
  const bad = new Map<string, number>()
  const begin = performance.now()
  let state = 'looking at the server'
  let clock: NodeJS.Timeout | undefined
  const isLive = live && !quiet
  const wipe = () => {
    if (isLive) writeProgress('\r\u001b[K')
  }
  const draw = () => {
    const seconds = Math.floor((performance.now() - begin) / 1000)
    writeProgress(`\r\u001b[K${`${state}${seconds === 0 ? '' : `  ${seconds} s`}`.slice(0, columns - 1)}`)
  }
  // From the beginning: exploring a server comes before the first event.
  if (isLive) clock = setInterval(draw, tick).unref()
  return {
    clear() {
      clearInterval(clock)
      wipe()
    },
    event(event) {
      if (event.kind === 'start') {
        wipe()
        write(`${headline(event.name, event.version, event.target, event.baseUrl, event.seed)}\n`)
      }
      if (quiet) return
      if (event.kind === 'smoke') {
        wipe()
        for (const line of smokeLines(event.smoke, paint).flatMap((each) => wrapped(each, columns)))
          write(`${line}\n`)
        state = 'starting the checks'
      }
      if (event.kind !== 'finding') return
      const { finding, done, total } = event
      if (finding.status !== 'pass') bad.set(finding.status, (bad.get(finding.status) ?? 0) + 1)
      const counts = [...bad].map(([status, count]) => `, ${count} ${status}`).join('')
      if (live) {
        const isLast = done === total
        state = isLast
          ? `${done}/${total}${counts}  cleaning up`
          : `${done}/${total}${counts}  ${finding.requirement}`
        draw()
      } else if (finding.status === 'fail') writeProgress(`${done}/${total} failed ${finding.requirement}\n`)
      else if (done % plainEvery === 0 || done === total) writeProgress(`${done}/${total}${counts}\n`)
    },
  }
}
