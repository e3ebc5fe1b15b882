/**
 * `npm run faults`: prints every fault with the checks that it trips; with `--generated`, what became of the generated
 * breaches. `--help` lists the options.
 *
 * @module
 */

import { InvalidArgumentError, Option } from 'commander'
import { scriptCommand, wholeNumber } from '../../../scripts/script-command.ts'
import { type BreachKind, breachKinds } from '../generated/breach.ts'
import { printGenerated } from '../generated/print-generated.ts'
import { type BreachSample, readSample } from '../generated/sample.ts'
import { runFaults } from './run-faults.ts'

interface Flags {
  generated?: true
  sample: BreachSample
  kind?: BreachKind[]
  without?: string[]
  seed: number
  verbose?: true
}

const program = scriptCommand(
  'faults',
  'Runs the suite against servers that are wrong on purpose.',
  'all are seen, 1 a fault or an unargued breach survives, a check has no fault, or the healthy reference trips one, 2 usage, nothing has such a name, or an error of ours.',
)
  .argument(
    '[string...]',
    'only faults with these strings in their names or checks; with --generated, breaches with these strings in their names',
  )
  .option(
    '--generated',
    'breaches derived from the description and from traffic, instead of the written faults',
  )
  .addOption(
    new Option('--sample <n/of>', 'only every n-th breach, 1/40 for example')
      .argParser(sampleOf)
      .default({ first: 0, every: 1 }, 'all'),
  )
  .addOption(new Option('--kind <kinds...>', 'only breaches of these kinds').choices(breachKinds))
  .option(
    '--without <requirements...>',
    "checks that do not run against the breaches, such as 'derived.*': what survives then is detected by them alone",
  )
  .option('--seed <number>', 'the same seed gives the same breaches and requests', wholeNumber, 1)
  .option('--verbose', 'every breach with the requirement that saw it')

function sampleOf(text: string): BreachSample {
  const sample = readSample(text)
  if (sample === undefined)
    throw new InvalidArgumentError('It must be a position and a number, such as 1/40.')
  return sample
}

async function printFaults(texts: readonly string[], seed: number): Promise<number> {
  const begin = performance.now()
  const { rows, falseAlarms, untripped, unknown } = await runFaults({
    seed,
    texts,
    onRow({ fault, tripped, missed, errors, ms }) {
      const survived = missed.length > 0 || errors.length > 0
      console.log(`${survived ? '✗' : '✓'} ${fault}  ${Math.round(ms)} ms`)
      if (tripped.length > 0) console.log(`    trips   ${tripped.join(', ')}`)
      for (const each of missed) console.log(`    MISSED  ${each}`)
      for (const each of errors) console.log(`    ERROR   ${each}`)
    },
  })
  const surviving = rows.filter(({ missed, errors }) => missed.length > 0 || errors.length > 0)
  for (const each of falseAlarms) console.log(`healthy reference: ${each}`)
  if (unknown.length > 0) console.log(`no such check: ${unknown.join(', ')}`)
  if (untripped.length > 0)
    console.log(`checks without a fault (${untripped.length}): ${untripped.join(', ')}`)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(
    `${rows.length} faults, ${surviving.length} surviving, ${untripped.length} checks without a fault, ${seconds} s`,
  )
  return surviving.length + falseAlarms.length + untripped.length + unknown.length === 0 ? 0 : 1
}

const { generated, sample, kind, without = [], ...flags } = program.parse().opts<Flags>()
process.exitCode = await (generated === true
  ? printGenerated(
      {
        ...sample,
        names: program.args,
        kinds: kind,
      },
      { seed: flags.seed, verbose: flags.verbose === true, without },
    )
  : printFaults(program.args, flags.seed)
).catch((error: Error) => {
  console.error(error.message)
  return 2
})
