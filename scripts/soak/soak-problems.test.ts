import { describe, expect, it } from 'vitest'
import { type SoakWindow, soakProblems } from './soak-problems.ts'

const heap = { before: 20, after: 21 }

/** Ten windows of 50,000 requests. @param at what is measured in each, by its position from 0 */
function windows(at: (position: number) => Partial<SoakWindow> = () => ({})): SoakWindow[] {
  return Array.from({ length: 10 }, (_, position) => ({
    requests: (position + 1) * 50_000,
    perSecond: 3_000,
    cpuPerRequest: 0.3,
    resident: 100,
    ...at(position),
  }))
}

describe('a soak', () => {
  it('is level if nothing changes, whatever came before the warm-up and in one busy moment', () => {
    expect(soakProblems(windows(), heap)).toEqual([])
    expect(
      soakProblems(
        windows((at) => (at === 0 ? { perSecond: 9_000, resident: 1 } : {})),
        heap,
      ),
    ).toEqual([])
    expect(
      soakProblems(
        windows((at) => (at === 9 ? { perSecond: 100, resident: 900 } : {})),
        heap,
      ),
    ).toEqual([])
  })

  it('fails where memory grows', () => {
    expect(
      soakProblems(
        windows((at) => ({ resident: 100 + at * 3 })),
        heap,
      ),
    ).toEqual(['Resident memory grew by 17.0 %.'])
    expect(soakProblems(windows(), { before: 20, after: 23 })).toEqual([
      'The heap after a garbage collection grew by 15.0 %.',
    ])
    expect(
      soakProblems(
        windows((at) => ({ resident: 100 + at })),
        heap,
      ),
    ).toEqual([])
  })

  it('fails where requests become slower, and not where only the machine does', () => {
    const slower = (at: number) => ({ perSecond: at < 6 ? 3_000 : 2_000 })
    expect(soakProblems(windows(slower), heap)).toEqual([])
    const costlier = (at: number) => ({ ...slower(at), cpuPerRequest: at < 6 ? 0.3 : 0.45 })
    expect(soakProblems(windows(costlier), heap)).toEqual([
      'Requests per second fell by 33.3 %, and each took 50.0 % more CPU time.',
    ])
    const unknown = (at: number) => ({ ...slower(at), cpuPerRequest: undefined })
    expect(soakProblems(windows(unknown), heap)).toEqual(['Requests per second fell by 33.3 %.'])
  })

  it('that was too short shows nothing', () => {
    expect(soakProblems(windows().slice(0, 2), heap)).toEqual([
      'There is nothing to compare: send more than 100000 requests.',
    ])
  })
})
