/**
 * `npm run mutants [-- string]`: prints every mutant with the checks that it trips. `--help` lists the options.
 *
 * @module
 */

import { scriptCommand, wholeNumber } from '../../../scripts/script-command.ts'
import { loadMutants } from './registry.ts'
import type { MutantRow } from './run-mutant.ts'
import { runMutants } from './run-mutants.ts'

const program = scriptCommand(
  'mutants',
  'Runs the suite against the reference with one mistake in its own source at a time.',
  'all are seen, 1 one survives a check that it declares, 2 usage, a mutant does not fit the source, or an error of ours.',
)
  .argument('[string]', 'only mutants whose names, files or checks contain it')
  .option('--whole', 'all checks against each mutant, to find out which ones see it')
  .option('--seed <number>', 'the same seed gives the same requests', wholeNumber, 1)
  .parse()
const { seed, whole = false } = program.opts<{ seed: number; whole?: true }>()
const [text = ''] = program.args

function print({ fault, tripped, missed, errors, others, ms }: MutantRow): void {
  console.log(`${missed.length + errors.length > 0 ? '✗' : '✓'} ${fault}  ${Math.round(ms)} ms`)
  if (tripped.length > 0) console.log(`    trips   ${tripped.join(', ')}`)
  for (const each of others) console.log(`    also    ${each}`)
  for (const each of missed) console.log(`    MISSED  ${each}`)
  for (const each of errors) console.log(`    ERROR   ${each}`)
}

async function printMutants(): Promise<number> {
  const begin = performance.now()
  const mutants = (await loadMutants()).filter(({ name, trips, changes }) =>
    [name, ...trips, ...changes.map(({ file }) => file)].some((each) => each.includes(text)),
  )
  if (mutants.length === 0)
    throw new Error(
      `No mutant is called, changes, or trips, anything like "${text}". Without a text all of them run.`,
    )
  const rows = await runMutants(mutants, { seed, whole, onRow: print })
  const surviving = rows.filter(({ missed, errors }) => missed.length + errors.length > 0)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${rows.length} mutants, ${surviving.length} surviving, ${seconds} s`)
  return surviving.length === 0 ? 0 : 1
}

process.exitCode = await printMutants().catch((error: Error) => {
  console.error(error.message)
  return 2
})
