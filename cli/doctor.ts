/**
 * `conformance doctor`: what can be tested on a target, and which configuration lines would enable more checks.
 *
 * @module
 */

import { visibleIn } from '../exchange/visible.ts'
import { createPaint } from '../harness/report/paint.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { diagnose } from '../harness/target/diagnose.ts'
import { printLines } from './print-lines.ts'
import type { DoctorFlags } from './run-options.ts'
import { useColor } from './use-color.ts'
import { warnOfUnusedTarget } from './warn-of-unused-target.ts'
import { withProgress } from './with-progress.ts'

const incomplete = 3

/** @returns the exit code: 3 if something is missing that would enable checks */
export async function doctorCommand({ color, header, ...options }: DoctorFlags): Promise<number> {
  warnOfUnusedTarget(options)
  const diagnosis = await withProgress('preparing the target', (onStep) =>
    diagnose({ ...options, headers: header, onStep }),
  )
  const { sections, smoke, runnable, checks } = visibleIn(diagnosis)
  const paint = createPaint(useColor(color, process.stdout))
  const { name, version } = packageFacts()
  const where = [options.target, options.baseUrl].filter(Boolean).join(' ') || 'embedded reference'
  const lines = [`${name} ${version}  doctor  target ${where}`]
  for (const { title, facts } of sections) {
    lines.push('', paint.bold(title))
    for (const { text, sound } of facts)
      lines.push(`  ${sound ? paint.green('✓') : paint.yellow('!')} ${text}`)
  }
  if (smoke.unlocks.length > 0) {
    lines.push('', paint.bold('more checks with one more line'))
    for (const { line, checks: count } of smoke.unlocks)
      lines.push(`  ${count === 1 ? '   1 check ' : `${String(count).padStart(4)} checks`}  ${line}`)
    if (smoke.missingTables.length > 0)
      lines.push(
        '  Each table needs the definition of conf_<role> in spec/tables.yaml of this package. If the server does not have these tables:',
        `  "tables": { ${smoke.missingTables.map((role) => `"${role}": false`).join(', ')} }`,
      )
  }
  lines.push('', `${runnable} of ${checks} checks can be judged`)
  printLines(process.stdout, lines)
  return smoke.unlocks.length > 0 ? incomplete : 0
}
