/**
 * The coverage as Markdown: a table of all operations, then one for each.
 *
 * @module
 */

import { actorsText, counted, isUnseen, requirementCount, sendersText } from './coverage-lines.ts'
import type { OperationView, ParameterLine } from './coverage-view.ts'
import { code, inline } from './markdown.ts'

export function coverageMarkdown(views: readonly OperationView[]): string[] {
  return [
    ...table(['operation', 'requirements', 'statuses', 'not seen'], views.map(summary)),
    ...views.flatMap((view) => [
      '',
      `### ${view.operation}`,
      '',
      `${code(`${view.method} ${view.path}`)}, ${counted(view.requirements.length)}`,
      '',
      ...table(
        ['status', 'requirements', 'actors'],
        view.statuses.map((line) => [line.status, requirementCount(line), inline(actorsText(line))]),
      ),
      '',
      ...table(['parameter', 'requirements', 'statuses', 'actors'], view.parameters.map(parameterCells)),
      ...(view.missingActors.length === 0 ? [] : ['', `Never sent by ${view.missingActors.join(', ')}.`]),
    ]),
  ]
}

/** What is described and was not seen. */
export function missingMarkdown(views: readonly OperationView[]): string[] {
  const rows = views.flatMap((view) => [
    ...view.statuses
      .filter(isUnseen)
      .map(({ status, reason = '' }) => [view.operation, 'status', status, inline(reason)]),
    ...view.parameters.filter(isUnseen).map(({ name }) => [view.operation, 'parameter', code(name), '']),
    ...view.missingActors.map((actor) => [view.operation, 'actor', actor, '']),
  ])
  if (rows.length === 0) return ['Everything that is described was seen.']
  return table(['operation', 'kind', 'not seen', 'reason'], rows)
}

function summary({ operation, requirements, statuses }: OperationView): string[] {
  const list = (absent: boolean) =>
    statuses
      .filter((line) => isUnseen(line) === absent)
      .map(({ status }) => status)
      .join(' ')
  return [operation, String(requirements.length), list(false), list(true)]
}

function parameterCells(line: ParameterLine): string[] {
  return [code(line.name), requirementCount(line), line.statuses.join(' '), sendersText(line)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
