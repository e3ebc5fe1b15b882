/**
 * Turns a mismatch into a readable finding: the requirement, its level, and the place.
 *
 * @module
 */

import { visible } from '../exchange/visible.ts'
import { countOf } from '../spec/count-of.ts'
import type { Mismatch } from './mismatch.ts'
import { knownRequirement } from './operation-entries.ts'
import { statusOf } from './status-of.ts'
import type { ValidationFinding, ValidationResult } from './vocabulary.ts'

const widest = 160

/** @param claimed whether the target claims the profile */
export function findingOf(
  { requirement, path, expected, received, others }: Mismatch,
  claimed: boolean,
): ValidationFinding {
  const { statement, level, basis, source } = knownRequirement(requirement) ?? {
    statement: '',
    level: 'MUST' as const,
    basis: 'profile' as const,
    source: '',
  }
  const status = statusOf(false, level, basis, claimed)
  return {
    requirement,
    statement,
    level,
    basis,
    section: source,
    status: status === 'fail' || status === 'warn' ? status : 'observed',
    path: jsonPath(path),
    expected,
    received,
    ...(others !== undefined && { others }),
    toString: asText,
  }
}

/** `/items/0/created` is `$.items[0].created`. */
function jsonPath(pointer: string): string {
  let path = '$'
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(key)) path += `[${key}]`
    else path += /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 80))}]`
  }
  return path
}

/**
 * Formats a result as text. A finding has at most ten lines.
 *
 * @example
 * ```ts
 * import { createValidator, describeResult } from 'record-auth-conformance/validate'
 *
 * const result = createValidator().validate({
 *   request: { method: 'GET', url: '/api/v1/collections/notes/records' },
 *   response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"page":1}' },
 * })
 * if (!result.ok) console.error(describeResult(result))
 * ```
 */
export function describeResult(result: ValidationResult): string {
  const { operation } = result
  if (operation !== undefined) return describeResultOf(`The response to ${operation}`, result)
  return 'The request is not an operation of the interface: nothing was validated'
}

/** @param subject of the first line: `The response to listRecords` */
export function describeResultOf(
  subject: string,
  { ok, findings, unjudged, note, assumedMethod }: ValidationResult,
): string {
  const lines = [`${subject} ${ok ? 'conforms' : 'does not conform'}`]
  if (unjudged !== undefined) lines.push(`  not validated: ${oneLine(unjudged)}`)
  if (note !== undefined) lines.push(`  note: ${oneLine(note)}`)
  if (assumedMethod !== undefined)
    lines.push(
      `  The response does not say which method it is for, so ${assumedMethod} was assumed. If it was another one, pass it: { method: 'POST' }.`,
    )
  return (findings.length === 0 ? lines : [...lines, describeFindings(findings)]).join('\n')
}

/**
 * The findings of one response as text. Findings about the same fact, such as a 500 that violates a requirement of the
 * document and one of the profile, show the fact once.
 */
export function describeFindings(findings: readonly ValidationFinding[]): string {
  const facts = new Map<string, string[]>()
  for (const finding of findings) {
    const fact = factOf(finding).join('\n')
    const heads = facts.get(fact) ?? []
    heads.push(...headOf(finding))
    facts.set(fact, heads)
  }
  return [...facts].map(([fact, heads]) => [...heads, fact].join('\n')).join('\n')
}

function asText(this: ValidationFinding): string {
  return [...headOf(this), ...factOf(this)].join('\n')
}

function headOf({ requirement, level, basis, section, status, statement }: ValidationFinding): string[] {
  const where = basis === 'profile' ? `profile, ${section}` : `${basis}, section ${section}`
  return [`  ${status}  ${requirement}  ${level}  (${where})`, `    ${oneLine(statement)}`]
}

function factOf({ path, expected, received, others }: ValidationFinding): string[] {
  const also = others === undefined ? '' : `, and ${countOf(others, 'other place')} of this kind`
  return [
    `    at        ${oneLine(path)}${also}`,
    `    expected  ${oneLine(expected)}`,
    `    received  ${oneLine(received)}`,
  ]
}

function oneLine(text: string): string {
  const flat = visible(text.slice(0, widest * 2).replace(/\s+/g, ' '))
  return flat.length > widest ? `${flat.slice(0, widest - 1)}…` : flat
}
