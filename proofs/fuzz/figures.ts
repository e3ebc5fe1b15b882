/**
 * Adding up what was measured, and the table at the end.
 *
 * @module
 */

import type { Count, FailureClass, Figures, FuzzFailure, FuzzKind } from './vocabulary.ts'

export const emptyFigures = (): Figures => ({
  counts: {},
  longest: { cpu: 0, shown: '', replay: '' },
  seen: {},
})

export const emptyCount = (): Count => ({ inputs: 0, accepted: 0, statuses: {} })

export function addFigures(into: Figures, { counts, longest, seen }: Figures): void {
  for (const [operation, count] of Object.entries(counts)) {
    into.counts[operation] ??= emptyCount()
    addCount(into.counts[operation], count)
  }
  for (const [name, times] of Object.entries(seen) as [FailureClass, number][])
    into.seen[name] = (into.seen[name] ?? 0) + times
  if (longest.cpu > into.longest.cpu) into.longest = longest
}

function addCount(into: Count, { inputs, accepted, statuses }: Count): void {
  into.inputs += inputs
  into.accepted += accepted
  for (const [status, times] of Object.entries(statuses))
    into.statuses[status] = (into.statuses[status] ?? 0) + times
}

/** Figures for people: one line for each operation of each kind, then the sums. */
export function describeFigures(
  figures: ReadonlyMap<FuzzKind, Figures>,
  failures: readonly FuzzFailure[],
): string {
  const lines = [row('kind', 'operation', 'inputs', 'accepted', 'statuses')]
  const all = emptyFigures()
  for (const [kind, each] of figures) {
    const sum = emptyCount()
    for (const [operation, count] of Object.entries(each.counts).sort(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(countRow(kind, operation, count))
      addCount(sum, count)
    }
    lines.push(countRow(kind, 'all', sum))
    addFigures(all, each)
  }
  const sum = emptyCount()
  for (const count of Object.values(all.counts)) addCount(sum, count)
  const fivehundreds = Object.entries(sum.statuses).reduce(
    (all, [status, times]) => all + (Number(status) >= 500 ? times : 0),
    0,
  )
  const times = (name: FailureClass) =>
    (all.seen[name] ?? 0) +
    failures.filter((each) => each.class === name && each.signature.includes('of the process')).length
  const { cpu, shown, replay } = all.longest
  return [
    ...lines,
    '',
    `inputs         ${sum.inputs}, ${share(sum)} accepted`,
    `5xx            ${Math.max(fivehundreds, times('5xx'))}`,
    `crashes        ${times('crash')}`,
    `hangs          ${times('hang')}`,
    `blocks         ${times('block')} over 250 ms; the longest ${Math.round(cpu)} ms of CPU: --replay ${replay}`,
    `               ${shown.slice(0, 300)}`,
    `disagreements  ${times('disagreement')}`,
    `other          ${times('leak')} secrets shown, ${times('changed')} changes by rejected requests, ${times('protocol')} broken responses`,
    `failures       ${failures.length} kinds`,
  ].join('\n')
}

const countRow = (kind: string, operation: string, count: Count) =>
  row(
    kind,
    operation,
    String(count.inputs),
    share(count),
    Object.entries(count.statuses)
      .map(([status, times]) => `${status} × ${times}`)
      .join(', '),
  )

const share = ({ inputs, accepted }: Count) => `${inputs === 0 ? 0 : Math.round((100 * accepted) / inputs)} %`

const row = (kind: string, operation: string, inputs: string, accepted: string, statuses: string) =>
  `${kind.padEnd(11)} ${operation.padEnd(22)} ${inputs.padStart(8)} ${accepted.padStart(9)}  ${statuses}`
