/**
 * `npm run examples`: writes `spec/generated/exchanges.json`, which `conformance explain` shows. Some minutes. `npm run
 * examples -- ID...` records those again, and keeps the others.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import { scriptCommand, wholeNumber } from '../../../scripts/script-command.ts'
import type { ExampleExchanges } from '../../../spec/example-exchanges.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import { runJobs } from '../matrix/worker-pool.ts'
import type { ExampleJob, RecordedExample } from './example-worker.ts'

const file = new URL('../../../spec/generated/exchanges.json', import.meta.url)

const program = scriptCommand(
  'examples',
  'Records a conforming and a failing exchange for each requirement.',
  'all are written, 2 usage or an error of ours.',
)
  .argument('[ids...]', 'only these requirements; the examples of the others are kept')
  .option('--seed <number>', 'the same seed sends the same requests', wholeNumber, 7)
  .option('--workers <number>', 'processes', wholeNumber)
  .parse()

const { seed, workers } = program.opts<{ seed: number; workers?: number }>()
const ids = [...loadRequirements().keys()]
const unknown = program.args.filter((id) => !ids.includes(id))
if (unknown.length > 0) program.error(`There is no requirement ${unknown.join(', ')}.`)
const known: Record<string, ExampleExchanges> =
  program.args.length === 0 ? {} : JSON.parse(await readFile(file, 'utf8'))
const recorded = new Map(Object.entries(known))
const jobs: ExampleJob[] = (program.args.length === 0 ? ids : program.args).map((id) => ({ id }))
let done = 0
await runJobs<ExampleJob, RecordedExample>({
  worker: new URL('./example-worker.ts', import.meta.url),
  args: [String(seed)],
  jobs,
  workers,
  onAnswer({ id, examples }) {
    done += 1
    recorded.set(id, examples)
    if (examples.missing !== undefined) console.log(`${id}: ${examples.missing}`)
    if (done % 50 === 0) console.log(`${done} of ${ids.length}`)
  },
})
// One line for each, so that a change shows which requirement it is about.
const lines = ids.flatMap((id) => {
  const examples = recorded.get(id)
  return examples === undefined ? [] : [`${JSON.stringify(id)}:${JSON.stringify(examples)}`]
})
await writeFile(file, `{\n${lines.join(',\n')}\n}\n`)
