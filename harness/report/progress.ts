/**
 * The progress of a run: one line that is updated on a terminal, an occasional plain line in CI.
 *
 * @module
 */

import type { RunEvent } from '../vocabulary/run.ts'
import type { Paint } from './paint.ts'
import { headline, smokeLines } from './terminal.ts'

export interface ProgressOptions {
  write(text: string): void
  /** Whether the output is a terminal, on which a line can be updated. */
  live: boolean
  /** Width of the terminal. */
  columns?: number
  paint: Paint
  quiet?: boolean
}

const plainEvery = 50

/** Handles the events of a run; `clear` removes the live line before the report. */
export function createProgress({ write, live, columns = 80, paint, quiet = false }: ProgressOptions): {
  event(event: RunEvent): void
  clear(): void
} {
  const bad = new Map<string, number>()
  const clear = () => {
    if (live && !quiet) write('\r\u001b[K')
  }
  return {
    clear,
    event(event) {
      if (event.kind === 'start')
        write(`${headline(event.name, event.version, event.target, event.baseUrl, event.seed)}\n`)
      if (quiet) return
      if (event.kind === 'smoke') {
        clear()
        for (const line of smokeLines(event.smoke, paint)) write(`${line}\n`)
      }
      if (event.kind !== 'finding') return
      const { finding, done, total } = event
      if (finding.status !== 'pass') bad.set(finding.status, (bad.get(finding.status) ?? 0) + 1)
      const counts = [...bad].map(([status, count]) => `, ${count} ${status}`).join('')
      if (live) {
        const line = `${done}/${total}${counts}  ${finding.requirement}`
        write(`\r\u001b[K${line.slice(0, columns - 1)}`)
      } else if (finding.status === 'fail') write(`${done}/${total} failed ${finding.requirement}\n`)
      else if (done % plainEvery === 0 || done === total) write(`${done}/${total}${counts}\n`)
    },
  }
}
