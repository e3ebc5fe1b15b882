/**
 * One row of a requirement file becomes a requirement. What needs the other rows (unknown ids, cycles) is seen to in
 * `requirements.ts`.
 *
 * @module
 */

import { operationPaths } from './generated/operations.ts'
import { didYouMean } from './nearest.ts'
import { optionalText, requiredText, SpecError, type SpecRow, sources, strings, toRow } from './row.ts'
import type { Basis, Exclusion, Grade, Level, Need, OperationId, Requirement } from './vocabulary.ts'

const KEYS = [
  'id',
  'statement',
  'basis',
  'source',
  'gap',
  'grade',
  'security',
  'note',
  'operation',
  'needs',
  'after',
] as const
const BASES = ['stated', 'implied', 'profile'] as const
const GRADES = ['recommended', 'family'] as const
const KEYWORD = /\b(?:MUST|SHOULD)(?: NOT)?\b|\bMAY\b/g
const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/
const NEED = /^(?:write|relation|second-auth-table|(?:table|actor|capability|hook):[A-Za-z][A-Za-z0-9-]*)$/

const OPERATIONS: readonly string[] = operationPaths.map(({ id }) => id)

/**
 * @param position file and row number, for messages until the id is known
 * @param basis assumed where the row has none: files of the profile leave it out
 * @throws SpecError with file, id and fact
 */
export function parseRequirement(value: unknown, position: string, basis?: Basis): Requirement {
  const row = toRow(value, position, 'id', KEYS)
  const gap = optionalText(row, 'gap')
  const note = optionalText(row, 'note')
  const security = optionalText(row, 'security')
  const grade = gradeOf(row, gap)
  const requirement: Requirement = {
    id: requiredText(row, 'id'),
    statement: requiredText(row, 'statement'),
    level: levelOf(row),
    basis: basisOf(row, basis),
    sources: sources(row),
    gap,
    grade,
    security,
    note,
    operations: operationsOf(row),
    needs: needsOf(row),
    after: strings(row, 'after'),
  }
  if (!ID.test(requirement.id)) {
    throw new SpecError(row.place, 'an id is area.topic, with lower-case letters, digits and hyphens.')
  }
  checkOrigin(requirement, row.place)
  return requirement
}

/** @throws SpecError with file, row and fact */
export function parseExclusion(value: unknown, position: string): Exclusion {
  const row = toRow(value, position, 'reason', ['source', 'reason'])
  const [source, ...more] = sources(row)
  if (source === undefined || more.length > 0) {
    throw new SpecError(position, 'an exclusion has one source.')
  }
  return { source, reason: requiredText(row, 'reason') }
}

/**
 * The level of a statement. Its keyword may occur twice, once with NOT, if the check needs both halves. A statement with
 * two levels is two requirements, one with none is a remark.
 */
function levelOf(row: SpecRow): Level {
  const found = requiredText(row, 'statement').match(KEYWORD) ?? []
  const [level, ...more] = new Set(found.map((keyword) => keyword.replace(' NOT', '') as Level))
  if (level === undefined || more.length > 0 || found.length > 2) {
    const what = level === undefined ? 'no keyword' : `${found.length} keywords (${found.join(', ')})`
    throw new SpecError(
      row.place,
      `the statement has ${what}; it needs one of MUST, SHOULD, MAY, in capitals, at most twice.`,
    )
  }
  return level
}

function basisOf(row: SpecRow, assumed: Basis | undefined): Basis {
  const text = optionalText(row, 'basis') ?? assumed
  const basis = BASES.find((known) => known === text)
  if (basis === undefined)
    throw new SpecError(row.place, `"basis" is ${text}; it must be ${BASES.join(' or ')}.`)
  return basis
}

/** A requirement of the profile is recommended unless it says otherwise; one of the document has no grade. */
function gradeOf(row: SpecRow, gap: string | undefined): Grade | undefined {
  const text = optionalText(row, 'grade')
  if (text === undefined) return gap === undefined ? undefined : 'recommended'
  const grade = GRADES.find((known) => known === text)
  if (grade === undefined || gap === undefined)
    throw new SpecError(
      row.place,
      `"grade" is ${text}; a requirement of the profile has ${GRADES.join(' or ')}.`,
    )
  return grade
}

function operationsOf(row: SpecRow): OperationId[] {
  const named = strings(row, 'operation')
  if (named.length === 0) throw new SpecError(row.place, '"operation" is missing: which operation shows it?')
  for (const name of named) {
    if (OPERATIONS.includes(name)) continue
    throw new SpecError(row.place, `there is no operation "${name}".${didYouMean(name, OPERATIONS)}`)
  }
  return named as OperationId[]
}

function needsOf(row: SpecRow): Need[] {
  const needs = strings(row, 'needs')
  for (const need of needs) {
    if (NEED.test(need)) continue
    throw new SpecError(
      row.place,
      `"${need}" is not a need; write "write", "relation", "second-auth-table", or table:, actor:, capability:, hook: and a name.`,
    )
  }
  return needs as Need[]
}

function checkOrigin({ basis, sources: from, gap }: Requirement, place: string): void {
  if (basis === 'profile') {
    if (gap === undefined) throw new SpecError(place, 'a requirement of the profile names its "gap".')
    if (from.length > 0)
      throw new SpecError(place, 'a requirement of the profile has a "gap" and no "source".')
    return
  }
  if (gap !== undefined) throw new SpecError(place, `basis ${basis} has a "source" and no "gap".`)
  if (from.length === 0) throw new SpecError(place, `basis ${basis} needs a "source" in the document.`)
}
