/** Runs checks one by one, as a test runner does. */

import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { tamper } from '../proofs/faults/combinators/combinators.ts'
import { type FaultyServer, startFaultyServer } from '../proofs/faults/matrix/faulty-server.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { runConformance } from '../test/support/run-here.ts'
import { journalsOf } from './cleanup/journal.ts'
import { type ConformanceCheck, conformanceSuite } from './conformance-suite.ts'
import type { SuiteOptions } from './generated/run-options.ts'
import { TrafficLog } from './wire/traffic.ts'

const servers: FaultyServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const wrongTotal = tamper('listRecords', (body) => ({ ...body, totalPages: 99 }))

async function suiteOf(make: typeof wrongTotal | undefined, options: SuiteOptions = {}) {
  const server = await startFaultyServer(1)
  servers.push(server)
  await server.use(make === undefined ? undefined : { make })
  const suite = await conformanceSuite({ target: server.target, seed: 3, ...options })
  const check = (id: string) => suite.checks.find((each) => each.id === id) as ConformanceCheck
  return { suite, check, server }
}

it('throws what the command would report', async () => {
  const { suite, check } = await suiteOf(wrongTotal, { only: ['list.total-pages', 'create.persists'] })
  await expect(check('create.persists').run()).resolves.toMatchObject({ status: 'pass' })
  const error = await check('list.total-pages')
    .run()
    .catch((error: Error) => error)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).message).toMatch(
    /^✗ list\.total-pages[\s\S]*expected[\s\S]*\$ curl [\s\S]*replay {4}npx conformance/,
  )
  expect((await suite.close())?.verdict).toMatchObject({ exitCode: 1 })
})

it('runs the dependencies of a check first, each once, and reports what was run', async () => {
  const { suite, check, server } = await suiteOf(undefined, { only: ['list.*'], seed: 3 })
  const last = check('list.pagination-covers')
  const [one, two] = await Promise.all([last.run(), last.run()])
  expect(two).toBe(one)
  const report = await suite.close()
  const ids = report?.findings.map(({ requirement }) => requirement) ?? []
  expect(ids).toContain('list.pagination-covers')
  expect(ids.length).toBeGreaterThan(1)
  expect(ids.length).toBeLessThan(10)
  expect(report?.leftovers).toEqual([])
  expect(await server.reference.records.list('conf_plain')).toEqual([])
})

it('the suite has the verdict of the command', async () => {
  const only = inFull ? ['list.*'] : ['list.total*', 'list.page', 'list.shape', 'list.items']
  const { suite, server } = await suiteOf(wrongTotal, { only })
  for (const { run } of suite.checks) await run().catch(() => {})
  const { verdict, findings } = (await suite.close()) ?? { verdict: undefined, findings: [] }
  await server.use({ make: wrongTotal })
  const command = await runConformance({ target: server.target, seed: 3, only })
  expect(verdict?.lines).toEqual(command.verdict.lines)
  const outcome = ({ requirement, status }: { requirement: string; status: string }) =>
    `${requirement} ${status}`
  expect(findings.map(outcome).sort()).toEqual(command.findings.map(outcome).sort())
})

it('ends with the failures that no test could report', async () => {
  let wrong = false
  const breaksLater = tamper('listRecords', (body) => (wrong ? { ...body, page: 'one' } : body))
  const { suite, check } = await suiteOf(breaksLater, { only: ['list.page', 'list.items'] })
  await check('list.page').run()
  wrong = true
  await check('list.items')
    .run()
    .catch(() => {})
  const error: Error = await suite.close().then(
    () => expect.unreachable('no failure'),
    (error: Error) => error,
  )
  expect(error.message).toMatch(
    /^failures that no test has reported:\n\n✗ [\s\S]*expected[\s\S]*replay {4}npx conformance/,
  )
  expect(error.cause).toMatchObject({ verdict: { exitCode: 1 } })
})

it('sends nothing before a check is run', async () => {
  const suite = await conformanceSuite({ baseUrl: 'http://127.0.0.1:9', only: ['list.page'] })
  expect(suite.checks.map(({ id }) => id)).toEqual(['list.page'])
  expect(await suite.close()).toBeUndefined()
})

it('rejects every check if the target cannot be reached', async () => {
  const suite = await conformanceSuite({ baseUrl: 'http://127.0.0.1:9', only: ['list.page', 'list.items'] })
  for (const { run } of suite.checks)
    await expect(run()).rejects.toMatchObject({ name: 'ConfigurationError', place: 'http://127.0.0.1:9' })
  await suite.close()
})

it('closes without an error where the target file cannot be read', async () => {
  const suite = await conformanceSuite({ target: './missing/target.json', only: ['list.page'] })
  await expect(suite.checks[0]?.run()).rejects.toMatchObject({ name: 'ConfigurationError' })
  expect(await suite.close()).toBeUndefined()
})

it('undoes its setup also where the run ends in an error of ours', async () => {
  const { suite, check, server } = await suiteOf(undefined, { only: ['list.page'] })
  await check('list.page').run()
  expect(journalsOf(server.target.baseUrl)).toHaveLength(1)
  const broken = vi.spyOn(TrafficLog.prototype, 'broken').mockImplementation(() => {
    throw new Error('of the log')
  })
  onTestFinished(() => broken.mockRestore())
  await expect(suite.close()).rejects.toThrow('of the log')
  expect(journalsOf(server.target.baseUrl)).toEqual([])
})

it('names the nearest id if a selection matches nothing', async () => {
  await expect(conformanceSuite({ only: ['list.pge'] })).rejects.toThrow(/did you mean list\.page/)
})
