/** Runs next to each other, and after one that was killed. */

import { describe, expect, it } from 'vitest'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { MINUTE, outcomes, targetRuns, until } from '../support/target-runs.ts'

const { begin, file, journals, run, started } = targetRuns()
const some = inFull ? '2.1,4.1' : 'create,list.shape'
const only = ['--only', some, '--skip', 'profile', '--runs', '0.2']

it.runIf(inFull)(
  'two concurrent runs with the same seed find what one finds alone',
  async () => {
    const { server, target } = await started()
    const path = file('twice.json', target)
    const [one, other] = await Promise.all([
      run(['--target', path, ...only]),
      run(['--target', path, ...only]),
    ])
    const alone = await run(['--target', path, ...only])
    expect(outcomes(one.report.findings)).toEqual(outcomes(alone.report.findings))
    expect(outcomes(other.report.findings)).toEqual(outcomes(alone.report.findings))
    expect([one.code, other.code, alone.code]).toEqual([0, 0, 0])
    expect(server.count()).toBe(0)
  },
  2 * MINUTE,
)

describe('what a killed run left', () => {
  it(
    'is reported and deleted by the next',
    async () => {
      const { server, target } = await started({ delay: () => 2 })
      const path = file('killed.json', target)
      const { child, ended } = begin(['--target', path, '--seed', '7', ...only])
      await until(child, () => server.count() >= 4)
      child.kill('SIGKILL')
      await ended
      expect(server.count()).toBeGreaterThan(0)
      expect(journals()).toHaveLength(1)
      const next = await run(['--target', path, ...only])
      expect(next.out).toMatch(/a run of \S+ left records behind: \d+ of \d+ are deleted now/)
      expect(next.code).toBe(0)
      expect(next.report.leftovers).toEqual([])
      expect(server.count()).toBe(0)
      expect(journals()).toEqual([])
    },
    2 * MINUTE,
  )

  const ways: [string, Record<string, string>][] = [
    ['asked for in the target’s own words', {}],
    ['read page by page where it refuses the question', { 'filter.equals': 'nothing {field} {value}' }],
  ]
  it.each(ways.filter(inSample(2)))(
    'is found even where its creation got no response: %s',
    async (_, binding) => {
      const { server, target } = await started({
        delay: (line) => (/^POST .*records$/.test(line) ? 20_000 : 0),
      })
      const path = file('unanswered.json', { ...target, binding: { ...target.binding, ...binding } })
      const args = ['--target', path, '--only', 'record.id']
      const { child, ended } = begin([...args, '--seed', '7'])
      await until(child, () => server.count() > 0)
      child.kill('SIGKILL')
      await ended
      expect(journals()).toMatchObject([{ created: [], unsure: [{ table: 'notes', field: 'text' }] }])

      const { out } = await begin(['doctor', '--target', path]).ended
      expect(out).toMatch(/left records behind: 1 of 1 are deleted now/)
      expect(server.count()).toBe(0)
      expect(journals()).toEqual([])
    },
    2 * MINUTE,
  )
})
