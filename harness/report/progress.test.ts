import { describe, expect, it, vi } from 'vitest'
import { sampleFinding } from '../../test/support/sample-report.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunEvent } from '../vocabulary/run.ts'
import { createPaint } from './paint.ts'
import { createProgress, type ProgressOptions } from './progress.ts'

const start: RunEvent = {
  kind: 'start',
  name: 'suite',
  version: '1',
  target: 'mine',
  baseUrl: 'http://h',
  seed: 7,
  checks: 120,
}
const smoke: RunEvent = {
  kind: 'smoke',
  smoke: { tables: {}, missingTables: ['locked'], actors: [], capabilities: {}, unlocks: [], notes: [] },
}

function finding(status: Status, done: number, requirement = 'list.shape'): RunEvent {
  const whole = sampleFinding(requirement, status, { statement: 'It MUST.', message: '' })
  return { kind: 'finding', finding: whole, done, total: 120 }
}

function written(events: RunEvent[], options: Partial<ProgressOptions> = {}): string[] {
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  const progress = createProgress({ write, live: false, paint: createPaint(false), ...options })
  for (const event of events) progress.event(event)
  progress.clear()
  return lines
}

describe('without a terminal', () => {
  it('names package, target and seed, and what is missing', () => {
    expect(written([start, smoke])).toEqual([
      'suite 1  target mine (http://h)  seed 7\n',
      'before the run\n',
      '  tables not found: locked\n',
    ])
  })

  it.each<[string, number | undefined, number]>([
    ['keeps what was found in whole lines', undefined, 1],
    ['wraps what was found at the width of the report', 40, 4],
  ])('%s', (_name, reportColumns, lines) => {
    const note = `notes is closed ${'to guests '.repeat(10)}`.trim()
    if (smoke.kind !== 'smoke') throw new Error('another event')
    const noted: RunEvent = { ...smoke, smoke: { ...smoke.smoke, missingTables: [], notes: [note] } }
    const [, ...shown] = written([noted], { reportColumns })
    expect(shown).toHaveLength(lines)
    expect(shown.map((line) => line.trim()).join(' ')).toBe(note)
  })

  it('has a line for each failure, for every fiftieth finding and for the last', () => {
    const events = [
      finding('pass', 1),
      finding('fail', 2, 'record.id'),
      finding('untestable', 49, 'list.items'),
      finding('pass', 50),
      finding('pass', 120, 'list.page'),
    ]
    expect(written(events)).toEqual([
      '2/120 failed record.id\n',
      '50/120, 1 fail, 1 untestable\n',
      '120/120, 1 fail, 1 untestable\n',
    ])
  })
})

it('ends with the numbers of the report, where a later response changed a finding', () => {
  const { finding: late } = finding('fail', 120) as { finding: Finding }
  const events: RunEvent[] = [
    finding('pass', 1),
    finding('fail', 120, 'record.id'),
    { kind: 'changed', findings: [late], done: 120, total: 120 },
  ]
  expect(written(events)).toEqual([
    '120/120 failed record.id\n',
    '120/120 failed list.shape\n',
    '120/120, 2 fail\n',
  ])
})

it('keeps what is only progress apart from the report', () => {
  const aside: string[] = []
  const report = written([start, smoke, finding('fail', 1)], {
    writeProgress: (text) => void aside.push(text),
  })
  expect(report.join('')).toBe(
    'suite 1  target mine (http://h)  seed 7\nbefore the run\n  tables not found: locked\n',
  )
  expect(aside).toEqual(['1/120 failed list.shape\n'])
})

describe('on a terminal', () => {
  const wipe = '\r\u001b[K'

  it('updates one line, no wider than the terminal, and removes it at the end', () => {
    expect(written([finding('pass', 1), finding('warn', 2)], { live: true, columns: 20 })).toEqual([
      `${wipe}1/120  list.shape`,
      `${wipe}2/120, 1 warn  list`,
      wipe,
    ])
  })

  it('shows that it is alive while nothing happens, until it is cleared', () => {
    vi.useFakeTimers()
    try {
      const lines: string[] = []
      const write = (text: string) => void lines.push(text)
      const progress = createProgress({ write, live: true, paint: createPaint(false) })
      vi.advanceTimersByTime(1_000)
      expect(lines.at(-1)).toBe(`${wipe}looking at the server  1 s`)
      progress.event(finding('pass', 1))
      vi.advanceTimersByTime(2_000)
      expect(lines.at(-1)).toBe(`${wipe}1/120  list.shape  3 s`)
      progress.clear()
      const { length } = lines
      vi.advanceTimersByTime(2_000)
      expect(lines).toHaveLength(length)
    } finally {
      vi.useRealTimers()
    }
  })

  it('removes the line before it reports what is missing', () => {
    expect(written([smoke], { live: true })[0]).toBe(wipe)
  })
})

it.each([true, false])('a quiet run shows only its start (live: %s)', (live) => {
  const events = [start, smoke, finding('fail', 1), finding('pass', 120)]
  expect(written(events, { live, quiet: true })).toEqual(['suite 1  target mine (http://h)  seed 7\n'])
})
