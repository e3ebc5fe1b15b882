/**
 * What a finding shows, as plain text: for formats that have one place for all of it.
 *
 * @module
 */

import { loadRequirements } from '../../spec/requirements.ts'
import type { Examples, Finding, RunError } from '../vocabulary/findings.ts'

/** Statement, fact, expected and received, the requests as curl lines, and the command that shows it again. */
export function evidence(finding: Finding): string {
  const { statement, message, expected, received, curl, replay, hint, retried, examples } = finding
  const note = noteOf(finding)
  return [
    message,
    '',
    `${placeOf(finding)}: ${statement}`,
    ...(note === undefined ? [] : [`note      ${note}`]),
    ...(retried === undefined ? [] : [`retried   ${retried}`]),
    ...(examples === undefined ? [] : [`examples  ${examplesText(examples)}`]),
    ...(expected ? [`expected  ${expected}`] : []),
    ...(received ? [`received  ${received}`] : []),
    ...(hint ? [`next      ${hint}`] : []),
    ...curl.map((line) => `$ ${line}`),
    ...(replay === undefined ? [] : [`replay    ${replay.command}`]),
  ].join('\n')
}

/** What is said of a property that its time limit cut short. */
export function examplesText({ run, of }: Examples): string {
  return `${run} of ${of} ran within the time limit`
}

/** Where the document leaves room, it may be another name or spelling that is the cause of a failure. */
export function noteOf({ requirement, status }: Finding): string | undefined {
  if (status !== 'fail' && status !== 'warn') return undefined
  return loadRequirements().get(requirement)?.note
}

/** The same of an error of the run, or of a target that was lost. */
export function errorEvidence({ message, stack, curl = [], again }: RunError): string {
  return [
    stack ?? message,
    ...curl.map((line) => `$ ${line}`),
    ...(again === undefined ? [] : [`replay    ${again}`]),
  ].join('\n')
}

/** Those of a target that stopped answering, which every report tells apart, and those of the run itself. */
export function byOrigin(errors: readonly RunError[]): { lost: RunError[]; ours: RunError[] } {
  const isLost = ({ lost }: RunError) => lost === true
  return { lost: errors.filter(isLost), ours: errors.filter((error) => !isLost(error)) }
}

/** `section 2.4` or `gap list.paging`. */
export function placeOf({ basis, source }: Pick<Finding, 'basis' | 'source'>): string {
  return basis === 'profile' ? `gap ${source}` : `section ${source}`
}
