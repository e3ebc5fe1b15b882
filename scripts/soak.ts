/**
 * `npm run soak`: sends a million requests to `conformance serve` and shows that its memory and its speed stay level.
 * The server is the built one (`npm run build`), in a process of its own.
 *
 * @module
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidArgumentError, Option } from 'commander'
import { scriptCommand, wholeNumber } from './script-command.ts'
import { runSoak } from './soak/run-soak.ts'
import { soakData } from './soak/soak-data.ts'
import { soakProblems, tolerance, warmUp } from './soak/soak-problems.ts'
import { startSoakServer } from './soak/soak-server.ts'

/**
 * Megabytes: several times what the server keeps. Without a limit Node lets more than 100 MB of garbage gather before it
 * collects it, more on a busy machine, and resident memory shows that rather than what the server keeps.
 */
const defaultHeap = 96

const window = 50_000
const modes = { console: [], 'no-console': ['--no-console'] } as const

interface Flags {
  requests: number
  clients: number
  mode: keyof typeof modes | 'both'
  heap: number
  command: string
}

const program = scriptCommand(
  'soak',
  'Starts the built "conformance serve" with the console and then without it, sends requests to each, and prints after every 50,000 of them: requests per second, CPU time of the server per request, its resident memory and its heap.',
  `memory and speed stay level, 1 they do not, 2 usage, the server ended, or a response had a wrong status, 130 stopped by Ctrl-C.

Not level: the resident memory, or the heap after a garbage collection, ends more than ${tolerance * 100} % above its size after ${warmUp}
requests, or the requests per second end more than ${tolerance * 100} % below. The first and the last three windows after the
warm-up are compared by their medians. Fewer requests per second count only if each also took more CPU time of the server:
on a busy machine they drop anyway.`,
)
  .option(
    '--requests <number>',
    `requests to each server, at least ${warmUp * 2}`,
    atLeast(2 * warmUp),
    1_000_000,
  )
  .option('--clients <number>', 'concurrent requests', atLeast(1), 32)
  .addOption(
    new Option('--mode <mode>', 'with or without the console')
      .choices([...Object.keys(modes), 'both'])
      .default('both'),
  )
  .option(
    '--heap <megabytes>',
    "maximum heap of the server, as --max-old-space-size of Node; 0 for Node's default",
    atLeast(0),
    defaultHeap,
  )
  .addOption(
    new Option('--command <file>', 'another built command, for a comparison').default(
      fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)),
      'dist/cli/main.js',
    ),
  )

function atLeast(least: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text)
    if (value >= least) return value
    throw new InvalidArgumentError(`It must be at least ${least}.`)
  }
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** @returns the exit code */
async function soak(
  mode: keyof typeof modes,
  flags: Flags,
  data: string,
  signal: AbortSignal,
): Promise<number> {
  const { requests, clients, heap, command } = flags
  const server = await startSoakServer({
    command,
    args: ['--data', data, ...modes[mode]],
    nodeArgs: heap === 0 ? [] : [`--max-old-space-size=${heap}`],
  })
  console.log(
    `\n${mode}: ${requests} requests, ${clients} at a time, load of the machine ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log('  requests   per second   CPU per request   resident      heap')
  try {
    const result = await runSoak(server, {
      requests,
      clients,
      window,
      warmUp,
      signal,
      onWindow({ requests: sent, perSecond, cpuPerRequest, resident }, heapUsed) {
        const cpu = cpuPerRequest === undefined ? 'unknown' : `${cpuPerRequest.toFixed(3)} ms`
        const cells = [
          [sent, 10],
          [perSecond.toFixed(0), 13],
          [cpu, 18],
        ] as const
        const row = cells.map(([cell, width]) => String(cell).padStart(width)).join('')
        console.log(`${row}${megabytes(resident).padStart(11)}${megabytes(heapUsed).padStart(10)}`)
      },
    })
    if (signal.aborted) return 130
    const { windows, heap: held, unexpected, examples } = result
    console.log(`  heap after garbage collection: ${megabytes(held.before)}, then ${megabytes(held.after)}`)
    if (unexpected > 0) {
      console.log([`  ${unexpected} responses have a wrong status:`, ...examples].join('\n    '))
      return 2
    }
    const problems = soakProblems(windows, held)
    console.log(problems.length === 0 ? '  level' : problems.map((problem) => `  ${problem}`).join('\n'))
    return problems.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}

async function main(flags: Flags): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const folder = await mkdtemp(join(tmpdir(), 'soak-'))
  const data = join(folder, 'data.json')
  await writeFile(data, JSON.stringify(soakData()))
  try {
    let worst = 0
    const chosen = flags.mode === 'both' ? (Object.keys(modes) as (keyof typeof modes)[]) : [flags.mode]
    for (const mode of chosen) {
      if (!stop.signal.aborted) worst = Math.max(worst, await soak(mode, flags, data, stop.signal))
    }
    return stop.signal.aborted ? 130 : worst
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 2
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(program.parse().opts<Flags>())
