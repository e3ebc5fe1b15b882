/**
 * `npm run bad-connections`: ten whole runs of the suite each at 0 %, 1 % and 5 % of bad connections, against `serve`
 * behind a proxy that breaks them. Prints verdict, statuses, leftovers, repeats and time of each run. `--help` lists the
 * options.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { loadTables } from '../spec/tables.ts'
import { scriptCommand, wholeNumber } from './script-command.ts'
import { atRandom, startBadConnections } from './support/bad-connections.ts'
import { builtCommand } from './support/command.ts'
import { startServe } from './support/serve-process.ts'

interface TargetText {
  baseUrl: string
  credentials: { superuser: { token: string } }
}

interface Ended {
  code: number | null
  report: RunReport
  /** Each requirement with its status, in an order of its own. */
  statuses: string[]
  broken: number
  connections: number
  /** Records of the run that the server still has. */
  left: string[]
  journals: number
}

interface Flags {
  runs: number
  rates: number[]
  per: 'connection' | 'response'
  seed: number
  timeout: number
}

const program = scriptCommand(
  'bad-connections',
  'Runs the whole suite against "serve" behind a proxy that cuts, resets or stalls connections.',
  'all runs end as on good connections and leave nothing, 1 otherwise, 2 usage.',
)
  .argument('[arguments...]', 'after a second "--": passed on to the command')
  .option('--runs <number>', 'runs at each rate', wholeNumber, 10)
  .option('--rates <list>', 'shares of connections that break', ratesOf, [0, 0.01, 0.05])
  .addOption(
    new Option('--per <unit>', 'what a rate counts')
      .choices(['connection', 'response'])
      .default('connection'),
  )
  .option('--seed <number>', 'of the first run; each further one takes the next', wholeNumber, 1)
  .option('--timeout <ms>', 'of one request: a stalled connection costs as much', wholeNumber, 2000)
  .parse()
const positionals = program.args
const { runs, rates, per, seed: firstSeed, timeout } = program.opts<Flags>()

function ratesOf(text: string): number[] {
  const found = text.split(',').map(Number)
  if (found.every((rate) => rate >= 0 && rate <= 1)) return found
  throw new InvalidArgumentError('They must be numbers from 0 to 1, separated by commas.')
}

/** All records of the suite's tables that the server has. */
async function recordsOf({ baseUrl, credentials }: TargetText): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  for (const { definition } of loadTables()) {
    const response = await fetch(`${baseUrl}/api/v1/collections/${definition.name}/records?perPage=1000`, {
      headers: { authorization: credentials.superuser.token },
    })
    const { items } = (await response.json()) as { items?: { id: string }[] }
    if (items === undefined) throw new Error(`${definition.name} cannot be listed: ${response.status}`)
    for (const each of items) all.set(`${definition.name}/${each.id}`, JSON.stringify(each))
  }
  return all
}

async function runOnce(rate: number, seed: number, folder: string): Promise<Ended> {
  const ready = join(folder, 'ready.json')
  const serve = startServe(['--ready-file', ready])
  await serve.says(/target file/)
  const target = JSON.parse(await readFile(ready, 'utf8')) as TargetText
  const before = await recordsOf(target)
  const proxy = await startBadConnections(target.baseUrl, atRandom({ rate, seed, per }))
  try {
    const behind = join(folder, 'behind.json')
    const file = join(folder, 'report.json')
    const state = join(folder, 'state')
    await writeFile(behind, JSON.stringify({ ...target, baseUrl: proxy.url }))
    const args = ['--target', behind, '--seed', String(seed), '--timeout', String(timeout), '--quiet']
    const child = spawn(
      process.execPath,
      [builtCommand, ...args, '--report', `json=${file}`, ...positionals],
      {
        stdio: 'ignore',
        env: { ...process.env, CONFORMANCE_STATE_DIR: state },
      },
    )
    const [code] = (await once(child, 'exit')) as [number | null]
    const report = JSON.parse(await readFile(file, 'utf8')) as RunReport
    return {
      code,
      report,
      statuses: report.findings.map(({ requirement, status }) => `${requirement} ${status}`).sort(),
      broken: Object.values(proxy.broken).reduce((sum, count) => sum + count, 0),
      connections: proxy.connections,
      left: [...(await recordsOf(target))].flatMap(([key, text]) => (before.has(key) ? [] : [text])),
      journals: (await readdir(state).catch(() => [])).filter((name) => name.endsWith('.journal')).length,
    }
  } finally {
    await proxy.close()
    await serve.stop()
  }
}

/** What differs from the first run on good connections. */
function differences(run: Ended, good: Ended): string[] {
  const known = new Set(good.statuses)
  return [
    ...(run.code === good.code ? [] : [`exit code ${run.code} instead of ${good.code}`]),
    ...run.statuses.filter((each) => !known.has(each)),
    ...run.report.errors.map(({ place, message }) => `error in ${place}: ${message}`),
    ...run.left.map((text) => `left: ${text.slice(0, 300)}`),
    ...run.report.leftovers.map(
      ({ table, id, reason }) => `reported: ${table}/${id} ${reason.slice(0, 300)}`,
    ),
    ...(run.journals === 0 ? [] : [`${run.journals} journals left`]),
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'bad-connections-'))
let good: Ended | undefined
let differing = 0
try {
  console.log(
    `per ${per}; columns: rate, seed, exit, verdict, broken of connections, sent again, run again, left, s`,
  )
  for (const rate of rates) {
    for (let at = 0; at < runs; at += 1) {
      const seed = firstSeed + at
      const run = await runOnce(rate, seed, folder)
      good ??= run
      const { report, code, broken, connections, left } = run
      const again = report.findings.filter(({ retried }) => retried !== undefined).length
      console.log(
        [
          `${rate * 100} %`,
          seed,
          code,
          report.verdict.outcome,
          `${broken}/${connections}`,
          report.connections?.sentAgain ?? 0,
          again,
          left.length,
          (report.durationMs / 1000).toFixed(1),
        ].join('\t'),
      )
      const found = differences(run, good)
      for (const each of found) console.log(`    ${each}`)
      if (found.length > 0) differing += 1
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(
  differing === 0
    ? 'all runs had the same result and left no records'
    : `${differing} runs had a different result`,
)
process.exitCode = differing === 0 ? 0 : 1
