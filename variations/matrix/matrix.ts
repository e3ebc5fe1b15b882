/**
 * What the acquittal matrix says, and how a row of it follows from findings.
 *
 * @module
 */

import type { InProcessRun } from '../../harness/run-in-process.ts'
import type { Finding } from '../../harness/vocabulary/findings.ts'
import type { Variation } from '../variation.ts'

export interface VariationRow {
  /** One variation, or several in front of each other. */
  names: string[]
  area: string
  /** Requirements of the document that a lawful server was said to break, and is not to be warned of: `id: status message`. */
  accused: string[]
  /** Requirements of the document without a verdict that the variation does not declare. */
  silent: string[]
  /** Declared as without a verdict, and judged all the same: the declaration is stale. */
  stale: string[]
  /** Exchanges that it changed. */
  met: number
  /** Exceptions of ours, and why the run ended early. */
  errors: string[]
  checks: number
  ms: number
}

export interface Outcome {
  run: InProcessRun | Error
  met: number
  ms: number
}

/** @param variations that stood in front of each other, the first of them nearest to the client */
export function rowOf(variations: readonly Variation[], { run, met, ms }: Outcome): VariationRow {
  const row: VariationRow = {
    names: variations.map(({ name }) => name),
    area: variations[0]?.area ?? '',
    accused: [],
    silent: [],
    stale: [],
    met,
    errors: [],
    checks: 0,
    ms,
  }
  if (run instanceof Error) return { ...row, errors: [run.stack ?? run.message] }
  const declared = new Set(variations.flatMap(({ declares = {} }) => Object.keys(declares)))
  const judged = run.findings.filter(({ basis }) => basis !== 'profile')
  const passed = new Set(
    judged.filter(({ status }) => status === 'pass').map(({ requirement }) => requirement),
  )
  return {
    ...row,
    accused: judged
      .filter((each) => isAccusing(each) && !(each.status === 'warn' && declared.has(each.requirement)))
      .map(described),
    silent: judged.filter((each) => isSilent(each) && !declared.has(each.requirement)).map(described),
    // In front of each other, one may make way for what another declares.
    stale: variations.length > 1 ? [] : [...declared].filter((id) => passed.has(id)),
    errors: [
      ...run.errors.map(({ place, message }) => `${place}: ${message}`),
      ...(run.ended === undefined ? [] : [`the run ended early: ${run.ended}`]),
    ],
    checks: run.findings.length,
  }
}

/** What must not be. */
export function isBad({ accused, silent, stale, met, errors }: VariationRow): boolean {
  return accused.length + silent.length + stale.length + errors.length > 0 || met === 0
}

function isAccusing({ status }: Finding): boolean {
  return status === 'fail' || status === 'warn'
}

function isSilent({ status }: Finding): boolean {
  return status === 'blocked' || status === 'untestable' || status === 'not-applicable'
}

function described({ requirement, status, message }: Finding): string {
  return `${requirement}: ${status} ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}`
}
