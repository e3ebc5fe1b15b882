/**
 * `npm run bench`: how fast the reference server is, in relation to others on the same machine in the same minutes.
 * docs/speed.md.
 *
 * @module
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as ReferenceModule from '../reference/reference.ts'
import { scriptCommand, wholeNumber } from './script-command.ts'
import { growth, inProcess } from './speed/growth.ts'
import { type Load, requestsPerSecond, sentOperations, startTime } from './speed/load.ts'
import { type BenchRecord, living, ours, type Peer, type PeerKind, toys } from './speed/peer.ts'
import { figure, markdownTable, median, ratio } from './speed/ratios.ts'

interface Flags {
  rounds: number
  ms: number
  connections: number
  records?: number[]
  living: boolean
  dist: string
}

const wholeNumbers = (text: string) => text.split(',').map((part) => Math.max(1, wholeNumber(part)))

const command = scriptCommand(
  'bench',
  'Measures the built "conformance serve", two toys in Node and, where Go is installed, the living server: alternately, in one run. Prints medians and ratios.',
  'measured, 1 a server failed, 2 for an unknown option, 130 stopped by Ctrl-C.',
)
  .option('--rounds <number>', 'how often each server is measured', wholeNumber, 5)
  .option('--ms <number>', 'milliseconds of one measurement', wholeNumber, 1000)
  .option('--connections <number>', 'concurrent requests', wholeNumber, 20)
  .option(
    '--records <numbers>',
    'also show how lists in this process slow down with these numbers of records: 1000,10000',
    wholeNumbers,
  )
  .option('--no-living', 'leave out the living server')
  .option(
    '--dist <folder>',
    'another build, for a comparison',
    fileURLToPath(new URL('../dist/', import.meta.url)),
  )
  .parse()
const flags = command.opts<Flags>()

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

/** Records of the servers that are compared. */
const count = 1000
const toyRecords = new URL('./bench/toy-records.mjs', import.meta.url).href
const { firstRecords } = (await import(toyRecords)) as { firstRecords(count: number): BenchRecord[] }
const reference = pathToFileURL(join(resolve(flags.dist), 'reference/reference.js')).href
const { createReference } = (await import(reference)) as typeof ReferenceModule

const folder = await mkdtemp(join(tmpdir(), 'conformance-bench-'))
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  )
  await compareServers()
  if (flags.records !== undefined) await compareSizes(flags.records)
} catch (error) {
  if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
if (stop.signal.aborted) process.exitCode = 130

async function compareServers(): Promise<void> {
  const records = firstRecords(count)
  const kinds = [...(await ours(folder, join(resolve(flags.dist), 'cli/main.js'), records)), ...toys(count)]
  const foreign = flags.living ? await living(records) : 'left out'
  if (typeof foreign === 'string') console.log(`living server: ${foreign}`)
  else kinds.push(foreign)
  const servers = await startAll(kinds)
  const results = new Map<string, number[]>()
  const note = (operation: string, name: string, value: number) =>
    results.set(`${operation} ${name}`, [...(results.get(`${operation} ${name}`) ?? []), value])
  const load: Load = { connections: flags.connections, ms: flags.ms, stop: stop.signal }
  try {
    // Creating comes last: a server that creates faster would have longer lists in every later round.
    for (const operation of sentOperations(count))
      for (let round = 0; round <= flags.rounds; round += 1)
        for (const { kind, peer } of servers) {
          if (stop.signal.aborted) return
          if (operation.queries && !kind.queries) continue
          const rate = await requestsPerSecond(peer.records, operation, load)
          // The first round warms up.
          if (round > 0) note(operation.name, kind.name, rate)
        }
  } finally {
    await Promise.all(servers.map(({ peer }) => peer.stop()))
  }
  for (let round = 0; round < flags.rounds; round += 1) {
    for (const kind of kinds) {
      if (stop.signal.aborted) return
      // The living server is started through its API, which takes longer than the server itself.
      if (kind !== foreign) note('start to first response, ms', kind.name, await startTime(kind.start))
    }
    note('GET one, in the process', 'ours', await inProcess(createReference, records, flags.ms))
  }
  const value = (operation: string, name: string) => {
    const values = results.get(`${operation} ${name}`)
    return values === undefined ? undefined : median(values)
  }
  const names = kinds.map(({ name }) => name)
  const rows = [
    ...sentOperations(count).map(({ name }) => name),
    'GET one, in the process',
    'start to first response, ms',
  ].map((operation) => [
    operation,
    ...names.map((name) => figure(value(operation, name))),
    ratio(value(operation, 'ours'), value(operation, 'toy on Hono')),
    ratio(value(operation, 'ours'), value(operation, 'living server')),
  ])
  console.log(
    `\nRequests per second, ${flags.connections} connections, ${count} records, medians of ${flags.rounds}:\n`,
  )
  console.log(markdownTable(['', ...names, 'ours : Hono', 'ours : living'], rows))
}

async function startAll(kinds: readonly PeerKind[]): Promise<{ kind: PeerKind; peer: Peer }[]> {
  const started: { kind: PeerKind; peer: Peer }[] = []
  try {
    for (const kind of kinds) started.push({ kind, peer: await kind.start() })
    return started
  } catch (error) {
    await Promise.all(started.map(({ peer }) => peer.stop()))
    throw error
  }
}

async function compareSizes(counts: readonly number[]): Promise<void> {
  const sizes = [...counts].sort((a, b) => a - b)
  const columns: Map<string, number>[] = []
  for (const size of sizes) {
    if (stop.signal.aborted) return
    columns.push(await growth(createReference, firstRecords(size), flags.rounds))
  }
  const names = [...(columns[0]?.keys() ?? [])]
  console.log(
    `\nMilliseconds of one request in the process, medians of ${flags.rounds}, by number of records:\n`,
  )
  const head = ['', ...sizes.map((size) => size.toLocaleString('en'))]
  console.log(
    markdownTable(
      head,
      names.map((name) => [name, ...columns.map((column) => figure(column.get(name)))]),
    ),
  )
}
