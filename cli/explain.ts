/**
 * `conformance explain ID`: shows everything about one requirement, with an exchange that conforms and one that fails.
 *
 * @module
 */

import { ConfigurationError } from '../harness/errors.ts'
import { exampleLines } from '../harness/report/example-lines.ts'
import { requirementPage } from '../harness/report/requirement-page.ts'
import { loadExampleExchanges } from '../spec/example-exchanges.ts'
import { nearest } from '../spec/nearest.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { printLines } from './print-lines.ts'

export interface ExplainFlags {
  /** Also shows the fingerprints of the sentences in the document, and the defect of the failing server. */
  verbose?: boolean
}

/** What to do about an unknown id: its area is known, or a similar id is. */
function nextFor(id: string, ids: readonly string[]): string {
  const [area = ''] = id.split('.')
  const inArea = ids.filter((each) => each.startsWith(`${area}.`))
  // With a different area, an id is about something else: `batch.entry` is not what `batch.rejected` means.
  const near = nearest(id, inArea.length > 0 ? inArea : ids)
  const beginning = inArea.filter((each) => each.startsWith(id))
  if (beginning.length === 1) return `did you mean ${beginning[0]}?`
  if (beginning.length > 0) return `the ids that begin with it: ${beginning.join(', ')}`
  if (inArea.length > 0)
    return `${near === undefined ? '' : `did you mean ${near}? `}\`conformance explain ${area}\` shows the ids of ${area}`
  return near === undefined ? '`conformance list` shows all ids' : `did you mean ${near}?`
}

/** @returns the exit code */
export async function explainCommand(id: string, { verbose = false }: ExplainFlags = {}): Promise<number> {
  const requirements = loadRequirements()
  const requirement = requirements.get(id)
  const ids = [...requirements.keys()]
  if (requirement === undefined) {
    const inArea = ids.filter((each) => each.startsWith(`${id}.`))
    if (inArea.length === 0)
      throw new ConfigurationError(`unknown requirement "${id}"`, `explain ${id}`, nextFor(id, ids))
    const widest = Math.max(...inArea.map(({ length }) => length))
    printLines(process.stdout, [
      ...inArea.map((each) => `${each.padEnd(widest)}  ${requirements.get(each)?.statement}`),
      '',
      `\`conformance explain ${inArea[0]}\` explains one of them`,
    ])
    return 0
  }
  const { statement, level, basis, sources, gap, grade, security, note, operations, needs, after } =
    requirement
  const lines = [id, '', `  ${statement}`, '', `  level       ${level}`, `  basis       ${basis}`]
  for (const { section, place, hash } of sources)
    lines.push(`  source      section ${section}, ${place}${verbose ? ` (${hash})` : ''}`)
  if (gap !== undefined) lines.push(`  unspecified ${gap}`)
  if (grade !== undefined) lines.push(`  grade       ${grade}`)
  if (security !== undefined) lines.push(`  security    ${security}`)
  if (note !== undefined) lines.push(`  note        ${note}`)
  if (operations.length > 0) lines.push(`  operations  ${operations.join(', ')}`)
  if (needs.length > 0) lines.push(`  needs       ${needs.join(', ')}`)
  if (after.length > 0) lines.push(`  builds on   ${after.join(', ')}`)
  const examples = loadExampleExchanges()[id]
  const defect = examples?.failing?.defect
  if (verbose && defect !== undefined) lines.push(`  fails when  ${defect}`)
  lines.push(`  page        ${requirementPage(requirement)}`, '')
  lines.push(...exampleLines(examples).map((line) => (line === '' ? '' : `  ${line}`)))
  lines.push('', `  npx conformance --only ${id}`)
  printLines(process.stdout, lines)
  return 0
}
