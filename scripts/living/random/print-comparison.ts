/**
 * `npm run living -- --random N`: prints, for each kind of random requests, how many cases were compared and the first
 * difference.
 *
 * @module
 */

import { InvalidArgumentError } from 'commander'
import { scriptCommand, wholeNumber } from '../../script-command.ts'
import { startLivingServer } from '../living-server.ts'
import { type RandomPart, type RandomResult, randomParts } from './random-parts.ts'
import { type RandomWorld, startRandomWorld } from './random-world.ts'

interface Flags {
  random: number
  seed: number
}

function positive(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('It must be at least 1.')
  return number
}

function readFlags(args: readonly string[]): Flags {
  return scriptCommand(
    'living',
    'Sends random requests to the living server and to the reference, and compares the responses.',
    'all responses are the same, 1 some differ, 130 stopped by Ctrl-C.',
  )
    .requiredOption(
      '--random <lists>',
      'how many lists; of the other requests as many as fit to it',
      positive,
    )
    .option('--seed <number>', 'the same seed sends the same requests', wholeNumber, 1)
    .parse(args, { from: 'user' })
    .opts<Flags>()
}

function summary(name: string, { cases, requests, difference }: RandomResult, milliseconds: number): string {
  const sent = Object.entries(requests).map(([method, count]) => `${count} ${method}`)
  const mark = difference === undefined ? '✓' : '✗'
  return `${mark} ${name}: ${cases} cases, ${sent.join(', ')}, ${Math.round(milliseconds / 1_000)} s`
}

async function compareOne(
  world: RandomWorld,
  { name, share, compare }: RandomPart,
  { random, seed }: Flags,
  signal: AbortSignal,
): Promise<boolean> {
  const cases = Math.ceil(random * share)
  const begin = performance.now()
  let shown = begin
  const onCase = (done: number) => {
    if (performance.now() - shown < 5_000) return
    shown = performance.now()
    console.error(`  ${name}: ${done} of ${cases}`)
  }
  const result = await compare(world, { seed, cases, onCase, signal })
  // Ctrl-C also ends the living server: what differs then says nothing.
  if (signal.aborted) return true
  console.log(summary(name, result, performance.now() - begin))
  if (result.difference !== undefined) console.log(result.difference)
  return result.difference === undefined
}

/**
 * Compares what the arguments say, and prints it.
 *
 * @param args arguments of the command, `--random` among them; help and wrong arguments end the process
 * @param binary path of the living server
 * @returns the exit code
 */
export async function printComparison(args: readonly string[], binary: string): Promise<number> {
  const flags = readFlags(args)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const server = await startLivingServer(binary)
  try {
    const world = await startRandomWorld(server)
    let same = true
    try {
      for (const part of randomParts)
        if (!stop.signal.aborted) same = (await compareOne(world, part, flags, stop.signal)) && same
    } finally {
      await world.close()
    }
    if (stop.signal.aborted) return 130
    console.log(same ? 'No difference.' : 'Responses differ: see above.')
    return same ? 0 : 1
  } finally {
    await server.stop()
  }
}
