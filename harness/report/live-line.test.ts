import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLiveLine } from './live-line.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function lineOf(live: boolean) {
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  return {
    written,
    line: createLiveLine({ write, live, columns: 20, state: 'exploring', plainEvery: 1_000 }),
  }
}

it('the line is updated on a terminal, and removed at the end', () => {
  const { written, line } = lineOf(true)
  vi.advanceTimersByTime(1_000)
  line.say('trying the tables that were found')
  vi.advanceTimersByTime(500)
  line.end()
  vi.advanceTimersByTime(5_000)
  expect(written).toEqual([
    '\r\u001b[Kexploring',
    '\r\u001b[Kexploring  1 s',
    '\r\u001b[Ktrying the tables t',
    '\r\u001b[K',
  ])
})

it('elsewhere, a plain line appears from the first second on', () => {
  const { written, line } = lineOf(false)
  vi.advanceTimersByTime(999)
  expect(written).toEqual([])
  vi.advanceTimersByTime(1)
  line.say('cleaning up')
  vi.advanceTimersByTime(1_000)
  line.end()
  vi.advanceTimersByTime(5_000)
  expect(written).toEqual(['exploring  1 s\n', 'cleaning up  2 s\n'])
})
