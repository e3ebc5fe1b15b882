/** A server that dies during a run: what was learned is reported, and what is left is deleted once it responds again. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import type { IndependentServer } from '../fixtures/independent-server.ts'
import { MINUTE, targetRuns, until } from '../support/target-runs.ts'

const { beginRun, conformance, file, journals, started } = targetRuns()
const only = ['--only', 'stated,implied']

/** Ends the server while a record of the run is there, with the answer to its creation out. */
async function diesWithRecords(child: ChildProcess, server: IndependentServer): Promise<void> {
  await until(child, () => server.log.length > 400 && server.count() > 2)
  await server.close()
  expect(server.count()).toBeGreaterThan(0)
}

it(
  'ends the run with exit 2, what was learned and what is left; doctor deletes that once it is back',
  async () => {
    const { server, target } = await started({ delay: () => 1 })
    const path = file('dying.json', target)
    const { child, ended } = beginRun(['--target', path, ...only])
    await diesWithRecords(child, server)
    const { code, out, report } = await ended
    expect(code).toBe(2)
    expect(out).toMatch(/stopped responding/)
    expect(out).toMatch(/^the target stopped responding$/m)
    expect(out).toMatch(/^ {4}replay {4}npx conformance --target .* --only \S+ --seed \d+$/m)
    expect(out).not.toMatch(/errors in the suite|says nothing about the server/)
    for (const error of report.errors)
      expect(error).toMatchObject({
        lost: true,
        curl: expect.arrayContaining([expect.stringContaining('curl ')]),
      })
    expect(report.findings.length).toBeGreaterThan(3)
    expect(report.findings.filter(({ status }) => status === 'fail')).toEqual([])
    expect(report.leftovers.length).toBeGreaterThan(0)
    for (const { reason } of report.leftovers)
      expect(reason).toMatch(/^the target stopped responding$|got no response|no response contained/)
    expect(out).toMatch(/when the server responds again, run `conformance doctor` with the same target/)
    expect(journals()).toHaveLength(1)

    await server.reopen()
    const { out: shown } = await conformance(['doctor', '--target', path])
    const [, deleted, all, gone = '0'] =
      /left records behind: (\d+) of (\d+) are deleted now(?:; (\d+) no longer exist)?/.exec(shown) ?? []
    // The server may have carried out a delete to which it could not respond any more.
    expect(Number(deleted) + Number(gone)).toBe(Number(all))
    expect(server.count()).toBe(0)
    expect(journals()).toEqual([])
  },
  2 * MINUTE,
)

// `npm test` has the one before.
it.runIf(inFull)(
  'is started again by its hook, so that nothing is left',
  async () => {
    const { server, target } = await started({ delay: () => 1 })
    let restarts = 0
    const hook = createServer(async (_request, response) => {
      restarts += 1
      await server.reopen()
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(hook, 'listening')
    const restart = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
    const path = file('reviving.json', { ...target, hooks: { ...target.hooks, restart } })
    const { child, ended } = beginRun(['--target', path, ...only])
    await diesWithRecords(child, server)
    const { code, report } = await ended
    hook.close()
    expect([code, restarts]).toEqual([2, 1])
    expect(report.leftovers).toEqual([])
    expect(server.count()).toBe(0)
    expect(journals()).toEqual([])
  },
  2 * MINUTE,
)
