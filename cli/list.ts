/**
 * `conformance list`: lists the requirements of a selection, one per line.
 *
 * @module
 */

import { planChecks } from '../harness/planning/plan.ts'
import type { Selection } from '../harness/vocabulary/options.ts'
import { loadRequirements, sourceOf } from '../spec/requirements.ts'
import { printLines } from './print-lines.ts'

/** @returns the exit code */
export async function listCommand({ json, ...selection }: Selection & { json?: boolean }): Promise<number> {
  const requirements = loadRequirements()
  const chosen = planChecks([...requirements.values()], requirements, selection)
  if (json === true) {
    process.stdout.write(`${JSON.stringify(chosen, null, 2)}\n`)
    return 0
  }
  const widest = Math.max(0, ...chosen.map(({ id }) => id.length))
  const lines = chosen.map((requirement) => {
    const { id, level, basis, statement } = requirement
    return `${id.padEnd(widest)}  ${level.padEnd(6)}  ${basis.padEnd(7)}  ${sourceOf(requirement)}  ${statement}`
  })
  printLines(process.stdout, lines)
  return 0
}
