/**
 * `npm run variations`: what the suite says of every lawful variation; with `--pairs`, of several together; with
 * `--servers`, of complete servers. `--help` lists the options.
 *
 * @module
 */

import { scriptCommand, wholeNumber } from '../../../scripts/script-command.ts'
import { describeRow, isAccused, runServers } from '../servers/run-servers.ts'
import { areaTable } from './area-table.ts'
import { runCombinations } from './combinations.ts'
import { runRows } from './run-rows.ts'
import { runVariations, wholeNames } from './run-variations.ts'
import { isWrong, isWrongVerdict, type VariationRow } from './variation-row.ts'

interface Flags {
  whole?: true
  observed?: true
  unaided?: true
  pairs?: number
  together?: true
  servers?: true
  only?: string[]
  seed: number
}

const program = scriptCommand(
  'variations',
  'Runs the suite against servers that make one lawful decision each, with nothing claimed.',
  'none is accused, has no verdict that it does not declare, was never met, or ends the run, 1 one is or does, 2 usage, nothing has such a name, or an error of ours.',
)
  .argument(
    '[string...]',
    'only variations of these areas, near to these requirements, or with these strings in their names; servers by a string in their names; with --together, whole names',
  )
  .option('--whole', 'every check of the document, instead of those near to the variation')
  .option('--observed', 'every check, those of the profile too: what they send must accuse no one either')
  .option('--unaided', 'every check of the document, without a superuser, emails, a provider or hooks')
  .option('--pairs <number>', 'number of random pairs and triples of variations', wholeNumber)
  .option('--together', 'the named variations combined')
  .option('--servers', 'complete servers with different design decisions, with every check of the document')
  .option('--only <id>', 'only this requirement; repeatable', (id, ids: string[] = []) => [...ids, id])
  .option('--seed <number>', 'the same seed makes the same choices and requests', wholeNumber, 1)
  .parse()
const values = program.opts<Flags>()
const { seed } = values
const chosen = { seed, texts: program.args }

function print(row: VariationRow): void {
  printLines(row, isWrongVerdict(row))
  for (const each of row.stale) console.log(`    STALE    ${each}`)
  if (row.unmet.length > 0) console.log('    NOT MET  it changed no response and no email of the run')
}

function printLines(row: VariationRow, wrong: boolean): void {
  const { names, area, accused, silent, errors, checks, ms } = row
  const counts = [checks, Math.round(ms)].map((each) => String(each).padStart(6)).join(' ')
  console.log(`${wrong ? '✗' : '✓'} ${counts}  ${area.padEnd(10)} ${names.join(' + ')}`)
  for (const each of accused) console.log(`    ACCUSED  ${each}`)
  for (const each of silent) console.log(`    SILENT   ${each}`)
  for (const each of errors) console.log(`    ERROR    ${each.slice(0, 500)}`)
}

const printTogether = (row: VariationRow) => printLines(row, isWrong(row))
const header = 'checks     ms  area       variation'
const since = (begin: number) => `${((performance.now() - begin) / 1000).toFixed(1)} s`

async function printCombinations(count: number): Promise<void> {
  const begin = performance.now()
  console.log(`  ${header}`)
  const { rows, bad } = await runCombinations({ seed, count, onRow: printTogether })
  console.log(`${rows.length} combinations: ${bad.length} are wrong; ${since(begin)}`)
  for (const row of bad) {
    console.log(row.command)
    printTogether(row)
  }
  process.exitCode = bad.length > 0 ? 1 : 0
}

async function printOne(): Promise<void> {
  const names = await wholeNames(program.args)
  console.log(`  ${header}`)
  const job = { names, seed, ids: values.only }
  const rows = await runRows('together', [job], printTogether)
  process.exitCode = rows.some(isWrong) ? 1 : 0
}

async function printServers(): Promise<void> {
  const options = { ...chosen, only: values.only ?? [] }
  const rows = await runServers({
    ...options,
    onRow: (row) => console.log(describeRow(row).join('\n')),
  })
  const accused = rows.filter(isAccused).length
  console.log(`${rows.length} servers: ${accused} accused or with errors`)
  process.exitCode = accused > 0 ? 1 : 0
}

function extentOf({ observed, unaided, whole }: Flags): 'near' | 'whole' | 'observed' | 'unaided' {
  if (observed) return 'observed'
  if (unaided) return 'unaided'
  return whole ? 'whole' : 'near'
}

async function printVariations(): Promise<void> {
  const begin = performance.now()
  console.log(`  ${header}`)
  const rows = await runVariations({
    extent: extentOf(values),
    ids: values.only,
    onRow: print,
    ...chosen,
  })
  console.log(`\n${areaTable(rows).join('\n')}\n${since(begin)}`)
  process.exitCode = rows.some(isWrongVerdict) ? 1 : 0
}

function chosenMatrix(): Promise<void> {
  if (values.servers) return printServers()
  if (values.together) return printOne()
  return values.pairs === undefined ? printVariations() : printCombinations(values.pairs)
}

await chosenMatrix().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 2
})
