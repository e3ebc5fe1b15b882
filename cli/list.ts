/**
 * `conformance list`: lists the requirements of a selection, one per line.
 *
 * @module
 */

import { declaredAbsence } from '../harness/judging/gate.ts'
import { checkNotApplicable } from '../harness/judging/not-applicable.ts'
import { planSelected } from '../harness/planning/plan.ts'
import type { Selection } from '../harness/vocabulary/options.ts'
import type { Target } from '../harness/vocabulary/target.ts'
import { countOf } from '../spec/count-of.ts'
import { loadRequirements, sourceOf } from '../spec/requirements.ts'
import { printLines } from './print-lines.ts'

export interface ListFlags extends Selection {
  json?: boolean
  /** Requirements that need what it declares absent are left out. */
  target?: Target | undefined
}

/** @returns the exit code */
export async function listCommand({ json, target, ...selection }: ListFlags): Promise<number> {
  const requirements = loadRequirements()
  if (target !== undefined) checkNotApplicable(target.notApplicable ?? {}, requirements)
  const selected = planSelected([...requirements.values()], requirements, selection)
  const chosen = selected.filter(
    (each) => target === undefined || declaredAbsence(each, target) === undefined,
  )
  const absent = selected.length - chosen.length
  if (absent > 0)
    printLines(process.stderr, [
      `${countOf(absent, 'requirement')} left out: the target file declares absent what ${absent === 1 ? 'it needs' : 'they need'}`,
    ])
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
