import { expect, it, onTestFinished, vi } from 'vitest'
import { longestSilence, Silence } from './silence.ts'

function stoppable() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const silence = new Silence(stop.signal)
  const given: string[] = []
  return { stop, silence, given, send: (name: string) => silence.during(() => given.push(name)) }
}

it('gives up nothing before the stop', () => {
  const { silence, given, send } = stoppable()
  send('a')
  vi.advanceTimersByTime(10 * longestSilence)
  expect([silence.isOver, given]).toEqual([false, []])
})

it('gives up what is under way when the server has been silent since the stop', () => {
  const { stop, silence, given, send } = stoppable()
  send('a')
  stop.abort()
  vi.advanceTimersByTime(longestSilence - 1000)
  // Neither a request that fails nor another one is a response.
  send('b')(false)
  send('c')
  vi.advanceTimersByTime(1000)
  expect([silence.isOver, given]).toEqual([true, ['a', 'c']])
})

it('waits as long as the server responds, and while nothing is under way', () => {
  const { stop, silence, send } = stoppable()
  stop.abort()
  for (let at = 0; at < 5; at++) {
    const end = send('a')
    vi.advanceTimersByTime(longestSilence - 1000)
    end(true)
    vi.advanceTimersByTime(2 * longestSilence)
  }
  expect(silence.isOver).toBe(false)
})
