/**
 * The kill matrix: each fault against the checks that it says it trips. Proves that checks can fail and that faults
 * are seen.
 *
 * @module
 */

import { alike } from '../harness/judge.ts'
import { planChecks } from '../harness/plan.ts'
import { type InProcessRun, runInProcess } from '../harness/run-in-process.ts'
import { loadSuites, type SuiteCheck } from '../harness/suites.ts'
import { createValidator } from '../harness/validator.ts'
import type { Finding, Smoke } from '../harness/vocabulary.ts'
import { loadRequirements } from '../spec/requirements.ts'
import type { Fault } from './fault.ts'
import { startFaultyServer } from './faulty-server.ts'
import { loadFaults } from './registry.ts'

export interface MatrixRow {
  fault: string
  /** Declared checks that saw it. */
  tripped: string[]
  /** Declared checks that did not: status and message of each. */
  missed: string[]
  /** Exceptions of ours on the way. */
  errors: string[]
  ms: number
}

export interface Matrix {
  rows: MatrixRow[]
  /** Findings of a healthy reference that are no pass: `id: status message`. */
  falseAlarms: string[]
  /** Checks that no fault trips. */
  untripped: string[]
  /** Ids that faults name and that have no check. */
  unknown: string[]
}

export interface MatrixOptions {
  seed?: number
  /** Only faults whose name or declared checks contain this text. */
  filter?: string
  onRow?: (row: MatrixRow) => void
}

/** Exchanges for requirements about every exchange, where a fault does not name its own. */
const usualTraffic = [
  'list.shape',
  'view.record',
  'create.persists',
  'update.changes-only-sent',
  'delete.removes',
  'batch.order',
]

export async function runFaults({ seed = 1, filter, onRow }: MatrixOptions = {}): Promise<Matrix> {
  const checks = await loadSuites()
  const requirements = loadRequirements()
  const validator = createValidator()
  const faults = (await loadFaults()).filter((fault) => matches(fault, filter))
  const server = await startFaultyServer(seed)
  const run = (selected: readonly SuiteCheck[], smoke?: Smoke): Promise<InProcessRun> =>
    runInProcess(
      planChecks(selected, requirements),
      server.target,
      { requirements, validator },
      { seed, quick: true, checkTimeout: 30_000, ...(smoke === undefined ? {} : { smoke }) },
    )
  try {
    await server.use()
    const declared = new Set(faults.flatMap(({ trips }) => trips))
    const healthy = await run(filter === undefined ? checks : checks.filter(({ id }) => declared.has(id)))
    const { smoke } = healthy.session
    const falseAlarms = [
      ...healthy.findings
        .filter((finding) => finding.status !== 'pass' && finding.message !== alike)
        .map(described),
      ...healthy.errors.map(({ place, message }) => `${place}: ${message}`),
    ]
    const rows: MatrixRow[] = []
    for (const fault of faults) {
      await server.use(fault)
      const begin = performance.now()
      const { findings, errors } = await run(checksFor(fault, checks), smoke)
      const row = rowOf(
        fault,
        findings,
        errors.map(({ place, message }) => `${place}: ${message}`),
        performance.now() - begin,
      )
      rows.push(row)
      onRow?.(row)
    }
    const known = new Set(checks.map(({ id }) => id))
    const tripped = new Set(rows.flatMap((row) => row.tripped))
    return {
      rows,
      falseAlarms,
      untripped: filter === undefined ? [...known].filter((id) => !tripped.has(id)) : [],
      unknown: [...declared].filter((id) => !known.has(id)),
    }
  } finally {
    await server.close()
  }
}

function matches({ name, trips }: Fault, filter: string | undefined): boolean {
  return filter === undefined || name.includes(filter) || trips.some((id) => id.includes(filter))
}

/** The declared checks; before one about every exchange, checks that make exchanges. */
function checksFor({ trips, traffic }: Fault, checks: readonly SuiteCheck[]): SuiteCheck[] {
  const carriers = traffic ?? (trips.some((id) => id.startsWith('wire.')) ? usualTraffic : [])
  const wanted = new Set([...carriers, ...trips])
  return checks.filter(({ id }) => wanted.has(id))
}

function rowOf(
  { name, trips }: Fault,
  findings: readonly Finding[],
  errors: string[],
  ms: number,
): MatrixRow {
  const byId = new Map(findings.map((finding) => [finding.requirement, finding]))
  const tripped = trips.filter((id) => isTripped(byId.get(id)))
  const missed = trips
    .filter((id) => !tripped.includes(id))
    .map((id) => {
      const finding = byId.get(id)
      return finding === undefined ? `${id}: gave no finding` : described(finding)
    })
  return { fault: name, tripped, missed, errors, ms }
}

/** The check saw that the requirement does not hold. Blocked is not enough: it says nothing about the requirement. */
function isTripped(finding: Finding | undefined): boolean {
  if (finding === undefined) return false
  return (
    finding.status === 'fail' ||
    finding.status === 'warn' ||
    (finding.status === 'observed' && finding.message !== alike)
  )
}

function described({ requirement, status, message }: Finding): string {
  return `${requirement}: ${status}${message === '' ? '' : ` ${message.slice(0, 300)}`}`
}
