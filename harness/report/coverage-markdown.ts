/**
 * The coverage as Markdown: a table of all operations, then one for each.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import {
  actorsText,
  isUnseen,
  neverSentBy,
  reasonNumber,
  requirementCount,
  sendersText,
} from './coverage-lines.ts'
import type { OperationView, ParameterLine } from './coverage-view.ts'
import { code, inline } from './markdown.ts'

export function coverageMarkdown(views: readonly OperationView[]): string[] {
  const reasons: string[] = []
  const rows = views.map((view) => summary(view, reasons))
  return [
    ...table(['operation', 'requirements', 'statuses', 'not seen'], rows),
    ...(reasons.length === 0
      ? []
      : ['', 'Why it is not seen:', '', ...reasons.map((reason, at) => `${at + 1}. ${inline(reason)}`)]),
    ...views.flatMap((view) => [
      '',
      `## ${view.operation}`,
      '',
      `${code(`${view.method} ${view.path}`)}, ${countOf(view.requirements.length, 'requirement')}`,
      '',
      ...table(
        ['status', 'requirements', 'actors'],
        view.statuses.map((line) => [line.status, requirementCount(line), inline(actorsText(line))]),
      ),
      '',
      ...table(['parameter', 'requirements', 'statuses', 'actors'], view.parameters.map(parameterCells)),
      ...view.missingActors.flatMap((missing) => ['', inline(neverSentBy(missing))]),
    ]),
  ]
}

/** What is described but was not seen. */
export function missingMarkdown(views: readonly OperationView[]): string[] {
  const rows = views.flatMap((view) => [
    ...view.statuses
      .filter(isUnseen)
      .map(({ status, reason = '' }) => [view.operation, 'status', status, inline(reason)]),
    ...view.parameters
      .filter(isUnseen)
      .map(({ name, reason = '' }) => [view.operation, 'parameter', code(name), inline(reason)]),
    ...view.missingActors.map(({ actor, reason = '' }) => [view.operation, 'actor', actor, inline(reason)]),
  ])
  if (rows.length === 0) return ['Everything that is described was seen.']
  return table(['operation', 'kind', 'not seen', 'reason'], rows)
}

/** @param reasons of what is not seen, to which those of the operation are added */
function summary(
  { operation, requirements, statuses, parameters, missingActors }: OperationView,
  reasons: string[],
): string[] {
  const seen = statuses.filter((line) => !isUnseen(line)).map(({ status }) => status)
  const missing = [
    ...statuses.filter(isUnseen).map(({ status, reason }) => ({ what: status, reason })),
    ...parameters.filter(isUnseen).map(({ name, reason }) => ({ what: code(name), reason })),
    ...missingActors.map(({ actor, reason }) => ({ what: actor, reason })),
  ].map(({ what, reason }) => {
    const at = reasonNumber(reasons, reason)
    return at === undefined ? what : `${what} (${at})`
  })
  return [operation, String(requirements.length), seen.join(' '), missing.join(', ')]
}

function parameterCells(line: ParameterLine): string[] {
  return [code(line.name), requirementCount(line), line.statuses.join(' '), sendersText(line)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
