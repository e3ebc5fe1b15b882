/**
 * `npm run liars [-- string]`: prints every liar with what became of the foreign records, and of the run's own.
 * `npm run liars -- --kills`: the same for runs that are ended in the middle. `--help` lists the options.
 *
 * @module
 */

import { scriptCommand, wholeNumber } from '../../../scripts/script-command.ts'
import { printKills } from '../kills/print-kills.ts'
import { isBad, type LiarRow } from './liar-row.ts'
import { runLiars } from './run-liars.ts'

const program = scriptCommand(
  'liars',
  'Runs the suite against servers that lie about identity, each with foreign records in every table.',
  'no foreign record is lost or changed and every record left behind is named, 1 otherwise, or where a run ends without a verdict, 2 usage, or no liar has such a name.',
)
  .argument('[string]', 'only liars whose names contain it')
  .option('--whole', 'every check, instead of a share that differs from liar to liar')
  .option('--kills', 'instead of liars: runs that are killed or stopped in the middle')
  .option('--points <number>', 'with --kills: moments at which a run is ended', wholeNumber, 10)
  .parse()
const values = program.opts<{ whole?: true; kills?: true; points: number }>()
const [filter] = program.args
if (values.kills) process.exit(await printKills(values.points))
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
  extent: values.whole ? 'whole' : 'share',
  onRow: print,
  filter,
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
