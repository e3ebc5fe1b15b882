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
import { parseArgs } from 'node:util'
import { runSoak } from './soak/run-soak.ts'
import { soakData } from './soak/soak-data.ts'
import { soakProblems, tolerance, warmUp } from './soak/soak-problems.ts'
import { startSoakServer } from './soak/soak-server.ts'

/**
 * Megabytes: several times what the server keeps. Without a limit Node lets more than 100 MB of garbage gather before it
 * collects it, more on a busy machine, and resident memory shows that rather than what the server keeps.
 */
const defaultHeap = 96

const help = `Usage: npm run soak -- [options]

Starts the built "conformance serve" with the console and then without it, sends requests to each, and prints after
every 50,000 of them: requests per second, CPU time of the server per request, its resident memory and its heap.

Options:
  --requests <number>   how many to send to each server, at least ${warmUp * 2} (default: 1000000)
  --clients <number>    requests under way at the same time (default: 32)
  --mode <mode>         console, no-console or both (default: both)
  --heap <megabytes>    largest heap of the server, as Node's --max-old-space-size; 0 for Node's own (default: ${defaultHeap})
  --command <file>      another built command, for a comparison (default: dist/cli/main.js)
  --help                this text

Exit code 1: at the end resident memory, or the heap after a garbage collection, is more than ${tolerance * 100} % above that at
${warmUp} requests, or requests per second are more than ${tolerance * 100} % below. Compared are the medians of the first and of the
last three windows from there on. Fewer requests per second count only where each also took more CPU time of the
server: on a busy machine they fall by themselves. Exit code 2: the server ended, or a response had a wrong status.
130: stopped by Ctrl-C.
`

const window = 50_000
const modes = { console: [], 'no-console': ['--no-console'] } as const

interface Flags {
  requests: number
  clients: number
  modes: (keyof typeof modes)[]
  heap: number
  command: string
}

/** @throws Error for an option that there is not, or a value that does not fit */
function readFlags(args: string[]): Flags | undefined {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '1000000' },
      clients: { type: 'string', default: '32' },
      mode: { type: 'string', default: 'both' },
      heap: { type: 'string', default: String(defaultHeap) },
      command: { type: 'string', default: fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)) },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const number = (name: 'requests' | 'clients' | 'heap', least: number): number => {
    const value = Number(values[name])
    if (Number.isSafeInteger(value) && value >= least) return value
    throw new Error(`--${name} ${values[name]} must be a whole number of at least ${least}.`)
  }
  const chosen = values.mode === 'both' ? Object.keys(modes) : [values.mode]
  const known = chosen.every((mode) => mode in modes)
  if (!known) throw new Error(`--mode ${values.mode} must be console, no-console or both.`)
  return {
    requests: number('requests', 2 * warmUp),
    clients: number('clients', 1),
    modes: chosen as Flags['modes'],
    heap: number('heap', 0),
    command: values.command,
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

async function main(args: string[]): Promise<number> {
  let flags: Flags | undefined
  try {
    flags = readFlags(args)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)} See --help.`)
    return 2
  }
  if (flags === undefined) {
    process.stdout.write(help)
    return 0
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const folder = await mkdtemp(join(tmpdir(), 'soak-'))
  const data = join(folder, 'data.json')
  await writeFile(data, JSON.stringify(soakData()))
  try {
    let worst = 0
    for (const mode of flags.modes) {
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

process.exitCode = await main(process.argv.slice(2))
