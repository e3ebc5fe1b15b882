/**
 * The suite on a server that shares no line with the reference and answers the gaps in its own way: it is conformant to
 * the document, its answers to gaps are observed, and each planted mistake against the document is found.
 */

import { describe, expect, it } from 'vitest'
import type { InProcessRun } from '../harness/engine/run-in-process.ts'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { observedChoices } from '../harness/judging/observed.ts'
import { verdictOf } from '../harness/judging/verdict.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { targetOf } from '../harness/target/target-file.ts'
import { inFull, inSample } from '../scripts/support/in-full.ts'
import { loadGaps } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { type Defect, defects } from './fixtures/defects.ts'
import { startIndependentServer } from './fixtures/independent-server.ts'
import { independentTarget } from './fixtures/independent-target.ts'

const requirements = loadRequirements()
const parts = { requirements }

async function run(
  only: string[],
  { defect, quick = false, runs = 1 }: { defect?: Defect; quick?: boolean; runs?: number } = {},
): Promise<InProcessRun & { remaining: number }> {
  const server = await startIndependentServer({ defect })
  try {
    const target = targetOf(independentTarget(server.baseUrl), 'the fixture', {})
    const checks = planChecks(await loadSuites(), requirements, { only })
    const result = await runInProcess(checks, target, parts, { seed: 7, quick, runs })
    return { ...result, remaining: server.count() }
  } finally {
    await server.close()
  }
}

describe('a server that fills the gaps in its own way', () => {
  it('is conformant to the document, its answers are observed, and nothing is left on it', async () => {
    // `npm run test:full` also runs what is observed, whose statuses the last lines are about.
    const only = inFull ? [] : ['stated', 'implied', 'create.status', 'delete.status']
    const { findings, errors, remaining, session } = await run(only, { runs: inFull ? 1 : 0.1 })
    const verdict = verdictOf({ findings, errors })
    expect(errors).toEqual([])
    expect(
      findings.filter(({ basis, status }) => basis !== 'profile' && !/^(pass|not-applicable)$/.test(status)),
    ).toEqual([])
    expect(verdict).toMatchObject({ outcome: 'conformant', exitCode: 0 })
    expect(verdict.document.passed).toBeGreaterThan(100)
    // Batch, one-time codes (2), OAuth 2.0, impersonation and the email flows (6) are declared absent.
    expect(verdict.document.share?.operations).toEqual({ present: 8, of: 19 })
    expect(verdict.lines[0]).toMatch(
      /^document: conformant in part \d+\/\d+: 8 of 19 operations, \d+ of \d+ requirements$/,
    )
    expect(verdict.profile.passed + verdict.profile.failed).toBe(0)
    expect(session.cleanup.leftovers.all).toEqual([])
    // Bodies that are sent as they are use our names of fields, and ids that a check gives need not be taken: what they
    // create here holds nothing of the run, and is named.
    expect(remaining).toBe(session.ownership.foreign.length)
    expect(remaining).toBeLessThan(30)

    const responses = observedChoices(findings, loadGaps().values())
    const statuses = responses.find(({ gap }) => gap === 'records.statuses')
    expect(statuses?.other.map(({ observed }) => observed).join('\n')).toContain('201')
  }, 300_000)

  it('fails for each operation that is missing and not declared absent', async () => {
    const server = await startIndependentServer()
    try {
      const { operations: _declared, ...target } = independentTarget(server.baseUrl)
      const checks = planChecks(await loadSuites(), requirements, { only: ['operation.*'] })
      const silent = targetOf({ ...target, capabilities: { mail: false } }, 'the fixture', {})
      const { findings, errors } = await runInProcess(checks, silent, parts, { seed: 7, quick: true })
      expect(errors).toEqual([])
      const missing = findings.filter(({ status }) => status !== 'pass')
      expect(missing.map(({ status }) => status)).toEqual(Array(11).fill('fail'))
    } finally {
      await server.close()
    }
  }, 60_000)

  it.each((Object.entries(defects) as [Defect, string][]).filter(inSample(2)))(
    'that %s breaks %s',
    async (defect, requirement) => {
      const sound = await run([requirement], { quick: true })
      expect(sound.findings.map(({ status }) => status)).toEqual(['pass'])
      const { findings } = await run([requirement], { defect, quick: true })
      expect(findings.map(({ status }) => status)).toEqual(['fail'])
    },
    60_000,
  )

  it('that reports wrong totals breaks nothing else', async () => {
    const { findings } = await run(['list.*'], { defect: 'rounds totalPages down', quick: true })
    const failed = findings.filter(({ basis, status }) => basis !== 'profile' && status === 'fail')
    expect(failed.map(({ requirement }) => requirement)).toEqual(['list.total-pages'])
  }, 60_000)
})
