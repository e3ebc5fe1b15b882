/** The same seed has the same coverage, byte for byte, on one worker and on two. */

import { expect, it } from 'vitest'
import { worthTwoShards } from '../harness/engine/assignments.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { listChecks } from '../harness/planning/suites.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { runConformance } from './support/run-here.ts'

/** Enough for two shards, with checks of both that share what they set up. */
const only = ['record', 'list', 'create', 'view', 'fields', 'operation', 'batch', 'sign-in', 'auth', 'mfa']
const skip = ['auth.sequences', 'auth-flow']

it.runIf(inFull)(
  'the same seed gives the same coverage on one worker and on two',
  async () => {
    const checks = planChecks(await listChecks(), loadRequirements(), { only, skip })
    expect(worthTwoShards(checks, loadRequirements(), {})).toBe(true)
    expect(worthTwoShards(checks, loadRequirements(), { bail: true })).toBe(false)
    const selection = { only, skip, seed: 7, runs: 0.1 }
    const two = await runConformance(selection)
    const one = await runConformance({ ...selection, bail: true })
    expect(one.verdict.lines).toEqual(two.verdict.lines)
    expect(JSON.stringify(one.coverage)).toBe(JSON.stringify(two.coverage))
    expect(two.coverage.requirements.seen).toBeGreaterThan(120)
  },
  600_000,
)
