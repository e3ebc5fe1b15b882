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

/** Whether ids begin with this word: `list` has `list.shape`. */
function isArea(word: string, ids: Iterable<string>): boolean {
  for (const id of ids) if (id.startsWith(`${word}.`)) return true
  return false
}

/** @returns the exit code */
export async function explainCommand(id: string, { verbose = false }: ExplainFlags = {}): Promise<number> {
  const requirements = loadRequirements()
  const requirement = requirements.get(id)
  if (requirement === undefined) {
    const near = nearest(id, requirements.keys())
    throw new ConfigurationError(
      `unknown requirement "${id}"`,
      `explain ${id}`,
      isArea(id, requirements.keys())
        ? `\`conformance list --only ${id}\` shows its ids`
        : near === undefined
          ? '`conformance list` shows all ids'
          : `did you mean ${near}?`,
    )
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
