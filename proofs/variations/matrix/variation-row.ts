/**
 * What the acquittal matrix says, and how a row of it follows from findings.
 *
 * @module
 */

import type { InProcessRun } from '../../../harness/engine/run-in-process.ts'
import type { Finding } from '../../../harness/vocabulary/finding.ts'
import type { Variation } from '../variation.ts'

export interface VariationRow {
  /** One variation, or several in front of each other. */
  names: string[]
  area: string
  /** Requirements of the document that a lawful server was said to break, and is not to be warned of: `id: status message`. */
  accused: string[]
  /** Requirements of the document without a verdict that the variation does not declare. */
  silent: string[]
  /** Those without a verdict that it declares, and what builds on them. */
  declared: string[]
  /** Declared as without a verdict, but judged anyway: the declaration is stale. */
  stale: string[]
  /**
   * Variations that changed no response and no email that the suite received. Only the checks near to a variation
   * count.
   */
  unmet: string[]
  /** Exceptions of ours, and why the run ended early. */
  errors: string[]
  checks: number
  seed: number
  ms: number
}

export interface VariationOutcome {
  run: InProcessRun | Error
  unmet: string[]
  /** Exceptions of the variations. */
  thrown: string[]
  seed: number
  ms: number
}

/** @param variations that stood in front of each other, the first of them nearest to the client */
export function variationRow(
  variations: readonly Variation[],
  { run, unmet, thrown, seed, ms }: VariationOutcome,
): VariationRow {
  const names = variations.map(({ name }) => name)
  const row: VariationRow = {
    names,
    area: variations[0]?.area ?? '',
    accused: [],
    silent: [],
    declared: [],
    stale: [],
    unmet,
    errors: [],
    checks: 0,
    seed,
    ms,
  }
  if (run instanceof Error) return { ...row, errors: [run.stack ?? run.message] }
  const declared = new Set(variations.flatMap(({ declares = {} }) => Object.keys(declares)))
  const isExpected = (each: Finding) => isDeclared(each, declared)
  const judged = run.findings.filter(({ basis }) => basis !== 'profile')
  const passed = new Set(
    judged.filter(({ status }) => status === 'pass').map(({ requirement }) => requirement),
  )
  return {
    ...row,
    // Where the target file declares something absent, no request meets it.
    unmet: judged.some((each) => isExpected(each) && isByDeclaration(each)) ? [] : unmet,
    accused: [
      ...judged
        .filter((each) => isAccusing(each) && !(each.status === 'warn' && declared.has(each.requirement)))
        .map(described),
      // Whatever was selected, every exchange is judged.
      ...run.otherViolations
        .filter(({ requirement }) => !declared.has(requirement))
        .map(({ requirement, message }) => `${requirement}: not selected, but broken: ${message}`),
    ],
    silent: judged.filter((each) => isSilent(each) && !isExpected(each)).map(described),
    declared: judged
      .filter((each) => isSilent(each) && isExpected(each))
      .map(({ requirement }) => requirement),
    stale: [...declared].filter((id) => passed.has(id)),
    errors: [
      ...run.errors.map(({ place, message }) => `${place}: ${message}`),
      ...thrown.slice(0, 3),
      ...(run.ended === undefined ? [] : [`the run ended early: ${run.ended}`]),
    ],
    checks: run.findings.length,
  }
}

/** What must not be, of one variation as of several in front of each other. */
export function isWrong({ accused, silent, errors }: VariationRow): boolean {
  return accused.length + silent.length + errors.length > 0
}

/** What must not be of a variation alone: it says too much as well, or too little. */
export function isWrongVerdict(row: VariationRow): boolean {
  return isWrong(row) || row.stale.length + row.unmet.length > 0
}

function isAccusing({ status }: Finding): boolean {
  return status === 'fail' || status === 'warn'
}

function isSilent({ status }: Finding): boolean {
  return status === 'blocked' || status === 'untestable' || status === 'not-applicable'
}

function isByDeclaration(each: Finding): boolean {
  return isSilent(each) && each.message.includes('which the target file declares absent')
}

/** A requirement that depends on one without a verdict has none either. */
function isDeclared({ requirement, status, blockedBy }: Finding, declared: ReadonlySet<string>): boolean {
  return (
    declared.has(requirement) || (status === 'blocked' && blockedBy !== undefined && declared.has(blockedBy))
  )
}

function described({ requirement, status, message }: Finding): string {
  return `${requirement}: ${status} ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}`
}
