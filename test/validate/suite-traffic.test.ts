/**
 * No false alarms: all that the suite says to the reference, validated against the interface in between. The reference passes
 * every check of the suite, so that whatever the validator finds in its responses is the validator's mistake.
 */

import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import { startFaultyServer } from '../../proofs/faults/matrix/faulty-server.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import { createCoverage } from '../../validate/coverage/create-coverage.ts'
import { createValidator } from '../../validate/create-validator.ts'
import { createHarWriter } from '../../validate/proxy/har-writer.ts'
import { startProxy } from '../../validate/proxy/proxy.ts'
import { readTraffic } from '../../validate/traffic/read-traffic.ts'

/** All of the suite takes minutes: `npm run test:full` and CONFORMANCE_EVERY=1 run it. */
const everyNth = Number(process.env.CONFORMANCE_EVERY ?? (inFull ? 1 : 24))
const folder = mkdtempSync(join(tmpdir(), 'conformance-traffic-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('finds nothing in what a conforming server answers, as it passes and in the recording', async () => {
  const file = join(folder, 'suite.har')
  const found: string[] = []
  const coverage = createCoverage()
  const options = { strict: true, tables: tableDefinitions() }
  const har = createHarWriter(file, { name: 'test', version: '1' })
  const server = await startFaultyServer(7)
  await server.use()
  const proxy = await startProxy({
    upstream: new URL(server.target.baseUrl),
    validator: createValidator({ ...options, coverage }),
    mode: 'report',
    har,
    onResult: ({ findings }, { method, url }) => {
      for (const { requirement, path, received } of findings)
        found.push(`${method} ${url} ${requirement} ${path} ${received}`)
    },
    onTrouble: (what) => found.push(what),
  })
  const some = (await loadSuites()).filter((_check, at) => at % everyNth === 0)
  const checks = planChecks(some, loadRequirements())
  const parts = { requirements: loadRequirements() }
  const run = await runInProcess(checks, { ...server.target, baseUrl: proxy.url }, parts, {
    seed: 7,
    quick: true,
    checkTimeout: 60_000,
  })
  await proxy.close()
  await server.close()
  har.close()

  expect(run.findings.filter(({ status }) => status === 'fail')).toEqual([])
  expect(found).toEqual([])
  const report = coverage.report()
  expect(report.exchanges).toBeGreaterThan(inFull ? 1000 : 400)
  expect(report.operations.seen).toBeGreaterThan(15)

  const recorded: string[] = []
  // Not strict: a key that reads like a password that was sent is replaced in recordings.
  const validator = createValidator({ profile: 'standard', tables: tableDefinitions() })
  let exchanges = 0
  for await (const { exchange, trouble, number } of readTraffic(createReadStream(file))) {
    if (exchange === undefined) recorded.push(trouble ?? `${number} was aborted`)
    else {
      exchanges += 1
      const { findings } = validator.validate(exchange)
      for (const { requirement, path } of findings)
        recorded.push(`${number} ${exchange.request.url} ${requirement} ${path}`)
    }
  }
  expect(recorded).toEqual([])
  expect(exchanges).toBe(report.exchanges)
}, 180_000)
