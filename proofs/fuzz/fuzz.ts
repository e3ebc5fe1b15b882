/**
 * `npm run fuzz`: see README.md in this folder.
 *
 * @module
 */

import { once } from 'node:events'
import { InvalidArgumentError, Option } from 'commander'
import { scriptCommand, wholeNumber } from '../../scripts/script-command.ts'
import { endGroup, runCampaign, startWorker } from './campaign.ts'
import { describeFigures } from './figures.ts'
import { type FuzzFailure, type FuzzJob, type FuzzKind, fuzzKinds } from './vocabulary.ts'

interface Flags {
  inputs: number
  seed: number
  only?: FuzzKind[]
  timeLimit?: number
  replay?: FuzzJob
}

const stop = new AbortController()

const program = scriptCommand(
  'fuzz',
  'Sends generated requests to the reference, and judges every response.',
  'nothing found, 1 failures, 2 usage or an error of the fuzzer, 130 stopped by Ctrl-C.',
)
  .option('--inputs <number>', 'how many inputs, all kinds together', wholeNumber, 200_000)
  .addOption(
    new Option('--seed <number>', 'the same seed gives the same inputs')
      .argParser(wholeNumber)
      .default(Math.floor(Math.random() * 2 ** 31), 'random'),
  )
  .addOption(new Option('--only <kinds...>', 'kinds of input').choices(fuzzKinds))
  .option('--time-limit <seconds>', 'for each kind, from the moment when its servers are ready', wholeNumber)
  .option('--replay <kind:seed:round:path>', 'run one input again, as a failure names it', replayed)

function replayed(text: string): FuzzJob {
  const [, kind, seed, round, path] = /^([a-z-]+):(\d+):(\d+):([\d:]+)$/.exec(text) ?? []
  if (path === undefined || !fuzzKinds.includes(kind as FuzzKind))
    throw new InvalidArgumentError('It must be what a failure names, such as in-process:1:0:12.')
  const job = { inputs: 1, time: Number.MAX_SAFE_INTEGER, positionFile: '', known: [] }
  return { ...job, kind: kind as FuzzKind, seed: Number(seed), round: Number(round), path }
}

function describeFailure({ signature, message, replay, shown, shrinks }: FuzzFailure): string {
  const lines = [
    `✗ ${signature}`,
    `  ${message.replaceAll('\n', '\n  ')}`,
    ...shown.map((line) => `    ${line}`),
  ]
  return [
    ...lines,
    `  after ${shrinks} steps of shrinking. Again: npm run fuzz -- --replay ${replay}`,
    '',
  ].join('\n')
}

async function replay(job: FuzzJob): Promise<number> {
  const child = startWorker(job, 'inherit')
  stop.signal.addEventListener('abort', () => endGroup(child))
  child.on(
    'message',
    (what: { type: string; message?: string }) => what.message && console.error(what.message),
  )
  const [code, signal] = await once(child, 'close')
  if (signal !== null && !stop.signal.aborted) console.log(`✗ the process ended by ${signal}`)
  endGroup(child)
  return code ?? 1
}

async function fuzz({ inputs, seed, only = [...fuzzKinds], timeLimit }: Flags): Promise<number> {
  const begin = performance.now()
  const seconds = () => Math.round((performance.now() - begin) / 1000)
  console.log(`seed ${seed}, ${inputs} inputs: ${only.join(', ')}`)
  const { figures, failures } = await runCampaign({
    kinds: only,
    inputs,
    seed,
    time: timeLimit === undefined ? Number.MAX_SAFE_INTEGER : timeLimit * 1000,
    signal: stop.signal,
    onProgress(done) {
      const each = only.map((kind) => `${kind} ${done.get(kind) ?? 0}`)
      const line = `${String(seconds()).padStart(5)} s  ${each.join('  ')}`
      process.stderr.write(process.stderr.isTTY ? `\r${line}\x1b[K` : `${line}\n`)
    },
    onFailure: (failure) => console.log(describeFailure(failure)),
  })
  console.log(describeFigures(figures, failures))
  console.log(`seed ${seed}, ${seconds()} s`)
  if (stop.signal.aborted) return 130
  const empty = [...figures].find(([, { counts }]) => Object.keys(counts).length === 0)
  if (empty !== undefined)
    throw new Error(`Nothing was run of "${empty[0]}": allow more time with --time-limit.`)
  return failures.length === 0 ? 0 : 1
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
const flags = program.parse().opts<Flags>()
process.exitCode = await (flags.replay === undefined ? fuzz(flags) : replay(flags.replay)).catch(
  (error: Error) => {
    console.error(error.message)
    stop.abort()
    return 2
  },
)
process.exit()
