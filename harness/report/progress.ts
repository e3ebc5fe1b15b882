/**
 * The progress of a run: one line that is updated on a terminal, an occasional plain line elsewhere.
 *
 * @module
 */

import type { RunEvent } from '../vocabulary/run.ts'
import { createLiveLine } from './live-line.ts'
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
  /** Width of the terminal that shows the progress. */
  columns?: number
  /** Width of what belongs to the report. @default as wide as the lines are */
  reportColumns?: number
  paint: Paint
  quiet?: boolean
}

const plainEvery = 50

/** Handles the events of a run; `clear` removes the live line before the report, and ends the clock. */
export function createProgress({
  write,
  writeProgress = write,
  live,
  columns = 80,
  reportColumns = Number.POSITIVE_INFINITY,
  paint,
  quiet = false,
}: ProgressOptions): {
  event(event: RunEvent): void
  clear(): void
} {
  const bad = new Map<string, number>()
  const isLive = live && !quiet
  // From the beginning: exploring a server comes before the first event.
  const line = createLiveLine({
    write: writeProgress,
    live: isLive,
    columns,
    state: 'looking at the server',
  })
  return {
    clear: line.end,
    event(event) {
      if (event.kind === 'start') {
        line.wipe()
        write(`${headline(event.name, event.version, event.target, event.baseUrl, event.seed)}\n`)
      }
      if (quiet) return
      if (event.kind === 'smoke') {
        line.wipe()
        for (const line of smokeLines(event.smoke, paint).flatMap((each) => wrapped(each, reportColumns)))
          write(`${line}\n`)
        line.say('starting the checks')
      }
      if (event.kind !== 'finding') return
      const { finding, done, total } = event
      if (finding.status !== 'pass') bad.set(finding.status, (bad.get(finding.status) ?? 0) + 1)
      const counts = [...bad].map(([status, count]) => `, ${count} ${status}`).join('')
      if (live) {
        const next = done === total ? 'cleaning up' : finding.requirement
        line.say(`${done}/${total}${counts}  ${next}`)
        line.draw()
      } else if (finding.status === 'fail') writeProgress(`${done}/${total} failed ${finding.requirement}\n`)
      else if (done % plainEvery === 0 || done === total) writeProgress(`${done}/${total}${counts}\n`)
    },
  }
}
