/** What runs leave on a server that deletes nothing: listed once each, and forgotten on request. */

import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { journalsOf } from '../../harness/cleanup/journal.ts'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { conformance as command } from '../support/run-here.ts'
import { type SmallServer, type SmallServerOptions, startSmallServer } from '../support/small-server.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { conformance, folder, run } = targetRuns(command)

let server: SmallServer
afterEach(() => server.close())

it(
  'signs in with the password that an account has now, to delete it',
  async () => {
    // It takes a new password without the old one, and ends the sessions of the account.
    server = await startSmallServer()
    for (let runs = 1; runs <= 2; runs += 1) {
      const { report } = await run(['--base-url', server.url, '--only', 'account.old-password'])
      expect(report.findings).toMatchObject([{ status: 'observed', held: false }])
      expect(report.leftovers).toEqual([])
    }
    expect(server.log.some((line) => line.startsWith('PATCH /api/v1/collections/users/records/'))).toBe(true)
    expect(server.count()).toBe(2)
  },
  2 * MINUTE,
)

const endings: [string, Partial<SmallServerOptions>, boolean][] = [
  ['stops listing records that are gone with the store of a restarted server', {}, true],
  ['goes on listing accounts that a guest could never see', { hidesAccounts: true }, false],
]
describe.each(endings.filter(inSample(2)))('%s', (_name, options, isGone) => {
  it(
    'in doctor, and in the next run',
    async () => {
      server = await startSmallServer({ keepsAccounts: true, ...options })
      const { url } = server
      const { report } = await run(['--base-url', url, '--only', 'auth.password-sign-in'])
      const left = report.leftovers.map(({ table, id }) => `${table}/${id}`)
      expect(left).toHaveLength(1)
      server.close()
      server = await startSmallServer({ ...options, filled: false, port: Number(new URL(url).port) })

      const { out } = await conformance(['doctor', '--base-url', url])
      const gone = `left records behind: 0 of 1 are deleted now; 1 no longer exists: a view does not find it`
      expect(out.includes(gone)).toBe(isGone)
      for (const place of left) expect(out.includes(place)).toBe(!isGone)
      const next = await run(['--base-url', url, '--only', 'list.total-pages'])
      expect(next.report.leftovers.map(({ table, id }) => `${table}/${id}`).sort()).toEqual(
        isGone ? [] : left.sort(),
      )
      expect(
        server.log.filter((line) => left.some((place) => line.startsWith(`DELETE`) && line.endsWith(place))),
      ).toEqual([])
    },
    2 * MINUTE,
  )
})

// Five runs.
it.runIf(inFull)(
  'lists what earlier runs left once each, until it is forgotten',
  async () => {
    server = await startSmallServer({ keepsAccounts: true })
    const again = async () => {
      const { report } = await run(['--base-url', server.url, '--only', 'auth.password-sign-in'])
      return report.leftovers.map(({ table, id }) => `${table}/${id}`)
    }
    const left = [await again(), await again(), await again()]
    for (const ids of left) expect(new Set(ids).size).toBe(ids.length)
    const [first = [], second, third = []] = left
    expect(first.length).toBeGreaterThan(0)
    expect(second).toHaveLength(2 * first.length)
    expect(third).toHaveLength(3 * first.length)
    const { out } = await conformance(['doctor', '--base-url', server.url, '--forget'])
    for (const place of third) expect(out.match(new RegExp(`! ${place}: `, 'g'))).toHaveLength(1)
    expect(out).toContain('✓ forgotten')
    expect(journalsOf(server.url, join(folder, 'state'))).toEqual([])
    expect((await again()).filter((place) => third.includes(place))).toEqual([])
  },
  5 * MINUTE,
)
