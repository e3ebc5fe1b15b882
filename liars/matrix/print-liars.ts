/**
 * `npm run liars [-- string] [--whole]`: prints every liar with what became of the foreign records, and of the run's own.
 * `npm run liars -- --kills [--points 10]`: the same for runs that are ended in the middle. Exit code 1 when a foreign
 * record is lost or changed, when a record of the run is left that the report does not name,
 * or when a run ends without a verdict.
 *
 * @module
 */

import { parseArgs } from 'node:util'
import { printKills } from '../kills/print-kills.ts'
import { isBad, type LiarRow } from './matrix.ts'
import { runLiars } from './run-liars.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    whole: { type: 'boolean', default: false },
    kills: { type: 'boolean', default: false },
    points: { type: 'string', default: '10' },
  },
})
const [filter] = positionals
if (values.kills) process.exit(await printKills(Number(values.points)))
const columns = ['foreign', 'lost', 'changed', 'server', 'left', 'unnamed', 'alone', 'tells', 'ms'] as const
const width = 8

/** Of the records of a list, as many as fit into a line. */
const some = (records: readonly string[]) =>
  `${records.slice(0, 4).join(', ')}${records.length > 4 ? ` and ${records.length - 4} more` : ''}`

function print(row: LiarRow): void {
  const counts = [
    row.foreign,
    row.lost.length,
    row.changed.length,
    row.byServer,
    row.left,
    row.unnamed.length,
    row.alone,
    row.tells.length,
    Math.round(row.ms),
  ]
  const cells = counts.map((count) => String(count).padStart(width)).join('')
  console.log(`${isBad(row) ? '✗' : '✓'}${cells}  ${row.liar}${row.mode === 'bare' ? ' (bare)' : ''}`)
  if (row.lost.length > 0) console.log(`    LOST     ${some(row.lost)}`)
  if (row.changed.length > 0) console.log(`    CHANGED  ${some(row.changed)}`)
  if (row.unnamed.length > 0) console.log(`    UNNAMED  ${some(row.unnamed)}`)
  for (const error of row.errors) console.log(`    ERROR    ${error.slice(0, 300)}`)
}

const begin = performance.now()
console.log(` ${columns.map((column) => column.padStart(width)).join('')}  liar`)
const rows = await runLiars({
  whole: values.whole,
  onRow: print,
  ...(filter === undefined ? {} : { filter }),
}).catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})
const sum = (count: (row: LiarRow) => number) => rows.reduce((total, row) => total + count(row), 0)
const bad = rows.filter(isBad)
console.log(
  `${new Set(rows.map(({ liar }) => liar)).size} liars, ${rows.length} runs: ${sum(({ lost }) => lost.length)} foreign records lost, ${sum(({ changed }) => changed.length)} changed; ${sum(({ left }) => left)} records of the runs left, ${sum(({ unnamed }) => unnamed.length)} not named; ${((performance.now() - begin) / 1000).toFixed(1)} s`,
)
process.exitCode = bad.length === 0 ? 0 : 1
