/**
 * The coverage for a terminal: a table for each operation, or what was not seen.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import type { MissingActor, OperationView, ParameterLine, StatusLine } from './coverage-view.ts'
import type { Paint } from './paint.ts'

/** @param ids also names the requirements of each status and parameter */
export function coverageLines(views: readonly OperationView[], paint: Paint, ids = false): string[] {
  return views.flatMap((view) => {
    const { operation, method, path, requirements, statuses, parameters, missingActors } = view
    return [
      '',
      `${paint.bold(operation)}  ${method} ${path}  ${paint.dim(countOf(requirements.length, 'requirement'))}`,
      ...table([
        ['status', 'requirements', 'actors'],
        ...statuses.map((line) => [line.status, requirementCount(line), actorsText(line)]),
      ]),
      ...named(ids, statuses, ({ status }) => status),
      ...table([
        ['parameter', 'requirements', 'statuses', 'actors'],
        ...parameters.map((line) => [
          line.name,
          requirementCount(line),
          line.statuses.join(' '),
          sendersText(line),
        ]),
      ]),
      ...named(ids, parameters, ({ name }) => name),
      ...(missingActors.length === 0
        ? []
        : [`  never sent by  ${missingActors.map(({ actor }) => actor).join(', ')}`]),
    ]
  })
}

/** What is described but was not seen, followed by the reasons; one line if everything was seen. */
export function missingLines(views: readonly OperationView[], paint: Paint): string[] {
  const reasons: string[] = []
  const marked = (what: string, reason: string | undefined) => {
    const at = reasonNumber(reasons, reason)
    return at === undefined ? what : `${what} [${at}]`
  }
  const lines = views.flatMap((view) => {
    const rows = Object.entries({
      statuses: view.statuses.filter(isUnseen).map(({ status, reason }) => marked(status, reason)),
      parameters: view.parameters.filter(isUnseen).map(({ name, reason }) => marked(name, reason)),
      actors: view.missingActors.map(({ actor, reason }) => marked(actor, reason)),
    }).filter(([, names]) => names.length > 0)
    if (rows.length === 0) return []
    return [
      '',
      paint.bold(view.operation),
      ...rows.map(([kind, names]) => `  ${kind.padEnd(10)}  ${names.join(', ')}`),
    ]
  })
  if (lines.length === 0) return ['', 'everything that is described was seen']
  if (reasons.length === 0) return lines
  return [...lines, '', paint.bold('reasons'), ...reasons.map((reason, at) => `  [${at + 1}] ${reason}`)]
}

/** The number of a reason in a list of reasons, to which it is added if it is new. */
export function reasonNumber(reasons: string[], reason: string | undefined): number | undefined {
  if (reason === undefined) return undefined
  if (!reasons.includes(reason)) reasons.push(reason)
  return reasons.indexOf(reason) + 1
}

/** An actor that never sent an operation, and why. */
export function neverSentBy({ actor, reason }: MissingActor): string {
  return `Never sent by ${actor}.${reason === undefined ? '' : ` ${reason}`}`
}

/** Rows of validated traffic may belong to no requirement. */
export function isUnseen({ actors }: { actors: readonly unknown[] }): boolean {
  return actors.length === 0
}

/** Number of requirements that a line is about; none if it was not seen. */
export function requirementCount(line: StatusLine | ParameterLine): string {
  return isUnseen(line) ? '-' : String(line.requirements.length)
}

/** Actors that saw a status, with the number of requirements; then the range that describes it, if it is not described itself. */
export function actorsText({ status, actors, as }: StatusLine): string {
  if (actors.length === 0) return 'not seen'
  const counts = actors.map(({ actor, requirements: count }) => `${actor} ${count}`)
  return `${counts.join(', ')}${as === status ? '' : ` (${as ?? 'not described'})`}`
}

/** Actors that sent a parameter. */
export function sendersText(line: ParameterLine): string {
  return isUnseen(line) ? 'not sent' : line.actors.join(', ')
}

function named<Line extends StatusLine | ParameterLine>(
  ids: boolean,
  lines: readonly Line[],
  nameOf: (line: Line) => string,
): string[] {
  if (!ids) return []
  return lines
    .filter(({ requirements }) => requirements.length > 0)
    .map((line) => `    ${nameOf(line)}: ${line.requirements.join(', ')}`)
}

/** Columns as wide as their content; the second one has numbers, and is aligned right. */
function table(rows: readonly (readonly string[])[]): string[] {
  if (rows.length < 2) return []
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, at) =>
      at === 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    )
    return `  ${cells.join('  ').trimEnd()}`
  })
}
