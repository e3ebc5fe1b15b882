/**
 * The progress of a run: one line that is updated on a terminal, an occasional plain line elsewhere.
 *
 * @module
 */

import type { Status } from '../vocabulary/finding.ts'
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
  const statuses = new Map<string, Status>()
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
      if (event.kind === 'changed') {
        const { findings, done, total } = event
        for (const { requirement, status } of findings) {
          statuses.set(requirement, status)
          if (!live && status === 'fail') writeProgress(`${done}/${total} failed ${requirement}\n`)
        }
        if (!live) writeProgress(`${done}/${total}${badCounts(statuses.values())}\n`)
      }
      if (event.kind !== 'finding') return
      const { finding, done, total } = event
      statuses.set(finding.requirement, finding.status)
      const counts = badCounts(statuses.values())
      if (live) {
        const next = done === total ? 'cleaning up' : finding.requirement
        line.say(`${done}/${total}${counts}  ${next}`)
        line.draw()
      } else if (finding.status === 'fail') writeProgress(`${done}/${total} failed ${finding.requirement}\n`)
      else if (done % plainEvery === 0 || done === total) writeProgress(`${done}/${total}${counts}\n`)
    },
  }
}

/** `, 2 fail, 1 untestable`. */
function badCounts(statuses: Iterable<Status>): string {
  const counts = new Map<Status, number>()
  for (const status of statuses) if (status !== 'pass') counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `, ${count} ${status}`).join('')
}
