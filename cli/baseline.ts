/**
 * `conformance baseline update`: brings a list of known failures up to date with a report.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { unjudged } from '../harness/judging/baseline.ts'
import { updateBaseline } from '../harness/judging/update-baseline.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { rewriteWhole } from '../harness/support/write-whole.ts'
import { countOf } from '../spec/count-of.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { printLines } from './print-lines.ts'
import { readFindings } from './read-report.ts'

export interface BaselineFlags {
  report: string
  baseline: string
}

/** @returns the exit code */
export async function baselineUpdateCommand({ report, baseline }: BaselineFlags): Promise<number> {
  const { findings, strict } = readFindings(report, `--report ${report}`)
  const before = readBefore(baseline)
  // A warning fails a strict run only.
  const adding = strict === true ? (['fail', 'warn'] as const) : (['fail'] as const)
  const ids = [...loadRequirements().keys()]
  const { text, added, removed } = updateBaseline(before, findings, ids, baseline, adding)
  const open = findings.filter(({ status }) => unjudged.includes(status)).length
  write(baseline, text)
  const { name, version } = packageFacts()
  printLines(process.stdout, [
    `${name} ${version}  ${baseline}: ${added.length} added, ${removed.length} removed`,
    ...added.map((id) => `  + ${id}  add a reason`),
    ...removed.map((id) => `  - ${id}`),
    ...(open === 0
      ? []
      : [
          `  note  ${countOf(open, 'requirement')} blocked or untestable, so the baseline cannot list them: see the hints of the report`,
        ]),
  ])
  return 0
}

function readBefore(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the baseline cannot be read (${code})`,
      `--baseline ${file}`,
      'use a readable file, or one that does not exist yet',
    )
  }
}

function write(file: string, text: string): void {
  try {
    rewriteWhole(file, text)
  } catch (error) {
    throw unwritable('the baseline', `--baseline ${file}`, error)
  }
}
