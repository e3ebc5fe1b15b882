/**
 * Checks over connections that break end as over good ones, and leave nothing. `npm run bad-connections` does the same
 * with whole runs of the command.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { startEmbedded } from '../harness/target/embedded.ts'
import { atRandom, type Breaks, startBadConnections } from '../scripts/support/bad-connections.ts'
import { inFull, inSample } from '../scripts/support/in-full.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { loadTables } from '../spec/tables.ts'

const MINUTE = 60_000
const requirements = loadRequirements()
/** Some of each kind: many connections of their own, writes, shared set-ups, properties. */
const only = [
  'body.malformed',
  'body.not-object',
  'list.blank-parameters',
  'list.page-below-one',
  'list.per-page-cap',
  'list.total-pages',
  'robust.methods',
  'robust.paths',
  'sign-in.no-auth-table',
  'sign-in.wrong-types',
  'view.status',
]
/** `npm test` runs every other one. */
const some = only.filter(inSample(2))

let embedded: Awaited<ReturnType<typeof startEmbedded>>

beforeAll(async () => {
  embedded = await startEmbedded({ seed: 7 })
})
afterAll(() => embedded.close())

/** All records of the suite's tables. */
async function recordsLeft(): Promise<number> {
  const { baseUrl, credentials } = embedded.target
  const { identity, password } = credentials.superuser?.signIn ?? {}
  const session = await fetch(`${baseUrl}/api/v1/collections/_superusers/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity, password }),
  })
  const { token } = (await session.json()) as { token: string }
  const counts = loadTables().map(async ({ definition }) => {
    const response = await fetch(`${baseUrl}/api/v1/collections/${definition.name}/records?perPage=1`, {
      headers: { authorization: token },
    })
    return ((await response.json()) as { totalItems: number }).totalItems
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

async function runBehind(breaks: Breaks, ids: readonly string[] = some) {
  const checks = planChecks(await loadSuites(), requirements, { only: [...ids] })
  const proxy = await startBadConnections(embedded.target.baseUrl, breaks)
  try {
    const target = { ...embedded.target, baseUrl: proxy.url }
    const { findings, errors, session } = await runInProcess(
      checks,
      target,
      { requirements },
      { seed: 7, timeout: 2_000 },
    )
    return {
      statuses: findings.map(({ requirement, status }) => `${requirement} ${status}`),
      errors,
      findings,
      leftovers: session.cleanup.leftovers.all,
      counts: session.connections.counts(),
    }
  } finally {
    await proxy.close()
  }
}

const kinds = [
  ['one in twenty connections breaks', 'connection', 0.05, 1],
  ['one in twenty connections breaks, others', 'connection', 0.05, 2],
  ['two of a hundred responses are lost', 'response', 0.02, 3],
] as const

/** The same for all of them. */
let overGood: ReturnType<typeof runBehind> | undefined

// `npm test` has time for one of them.
it.each(inFull ? kinds : kinds.slice(0, 1))(
  'ends as over good connections: %s',
  { timeout: 5 * MINUTE },
  async (_, per, rate, seed) => {
    const before = await recordsLeft()
    overGood ??= runBehind(() => undefined)
    const good = await overGood
    expect(good.counts).toBeUndefined()
    const bad = await runBehind(atRandom({ per, rate, seed }))
    expect(bad.errors).toEqual([])
    expect(bad.statuses).toEqual(good.statuses)
    expect(bad.counts?.broken).toBeGreaterThan(2)
    expect([bad.leftovers, await recordsLeft()]).toEqual([[], before])
  },
)

it('finds the one request that a server drops each time', { timeout: 5 * MINUTE }, async () => {
  const { findings, errors } = await runBehind(
    ({ line }) => (line.startsWith('PURGE') ? 'unanswered' : undefined),
    ['robust.methods', 'view.status'],
  )
  expect(errors).toEqual([])
  expect(findings.map(({ requirement, status }) => [requirement, status])).toEqual(
    expect.arrayContaining([
      ['robust.methods', 'fail'],
      ['view.status', 'pass'],
    ]),
  )
  expect(findings.find(({ status }) => status === 'fail')?.message).toMatch(/: PURGE .*, in each of 3 runs$/)
})
