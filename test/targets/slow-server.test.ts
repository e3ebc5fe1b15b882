/** An ordinary server with one open table and one auth table: how long its first verdict takes, quick and slow. */

import { afterEach, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { type SmallServer, startSmallServer } from '../support/small-server.ts'
import { MINUTE, outcomes, targetRuns } from '../support/target-runs.ts'

const { beginRun, conformance, run } = targetRuns()

let server: SmallServer
afterEach(() => server.close())

/** Milliseconds in which a quiet machine starts the command. */
const quietStart = 400

/** How much longer this machine takes for anything at present: tests share it with others. */
async function slackOf(): Promise<number> {
  const begin = performance.now()
  await conformance(['--version'])
  return Math.max(2, (2 * (performance.now() - begin)) / quietStart)
}

// test/targets/address-alone.test.ts counts the requirements, too: this one is about the seconds.
it.runIf(inFull)(
  'judges 90 requirements of the document, on a quiet machine within ten seconds',
  async () => {
    server = await startSmallServer()
    const slack = await slackOf()
    const begin = performance.now()
    const { report } = await run(['--base-url', server.url, '--only', 'stated,implied'])
    const seconds = (performance.now() - begin) / 1_000
    expect(report.verdict.document.passed).toBeGreaterThanOrEqual(90)
    expect(seconds).toBeLessThan(10 * slack)
  },
  2 * MINUTE,
)

// Minutes of waiting: `npm run test:full` has them.
it.runIf(inFull)(
  'judges a server that takes 150 ms for each response within 90 seconds, and shows how far it is',
  async () => {
    server = await startSmallServer({ delay: 150 })
    const slack = await slackOf()
    const begin = performance.now()
    const { child, ended } = beginRun(['--base-url', server.url])
    const progress: number[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        if (/^\d+\/\d+/m.test(String(chunk))) progress.push(performance.now() - begin)
      })
    const { report } = await ended
    const seconds = (performance.now() - begin) / 1_000
    expect(report.verdict.document.passed).toBeGreaterThanOrEqual(90)
    expect(report.leftovers).toEqual([])
    expect(server.count()).toBe(2)
    expect(progress.length).toBeGreaterThan(5)
    expect(seconds).toBeLessThan(90 * Math.max(1, slack / 2))
  },
  6 * MINUTE,
)

// How far a check reads in a whole table depends on the records of the others: decision 006. What it writes does not.
// `npm test` has harness/engine/concurrent-checks.test.ts.
it.runIf(inFull).each([
  ['requests', 'list.shape,list.page,create.persists,auth.password-sign-in', /./],
  ['writes', 'list,record,create,auth.password-sign-in,operation', /^(?:POST|PATCH|DELETE) /],
])(
  'sends a slow server the same %s, and finds the same, however many are under way',
  async (_, only, compared) => {
    const selection = ['--only', only, '--runs', '0.2']
    const seen: { requests: string[]; findings: string[] }[] = []
    for (const concurrency of ['3', '16']) {
      server = await startSmallServer({ delay: 60 })
      const { report } = await run(['--base-url', server.url, ...selection, '--concurrency', concurrency])
      const requests = server.log.filter((line) => compared.test(line)).map(withoutIds)
      seen.push({ requests: requests.sort(), findings: outcomes(report.findings) })
      server.close()
    }
    expect(seen[1]?.findings).toEqual(seen[0]?.findings)
    expect(seen[1]?.requests).toEqual(seen[0]?.requests)
    expect(seen[0]?.requests.length).toBeGreaterThan(10)
  },
  4 * MINUTE,
)

/** The server makes its ids at random, and each run has letters of its own. */
function withoutIds(line: string): string {
  return line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/-[a-z0-9]{9,}/g, '-MARK')
}
