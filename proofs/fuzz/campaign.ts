/**
 * Runs the kinds, each in a process of its own, and gathers what they measure and find.
 *
 * @module
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addFigures, emptyFigures } from './figures.ts'
import type { Figures, FuzzFailure, FuzzJob, FuzzKind, Report } from './vocabulary.ts'

/** Of all inputs. */
const shares: Readonly<Record<FuzzKind, number>> = {
  'in-process': 0.5,
  socket: 0.1,
  raw: 0.1,
  filter: 0.3,
}

export interface CampaignOptions {
  kinds: readonly FuzzKind[]
  inputs: number
  seed: number
  /** Milliseconds for each kind. */
  time: number
  signal: AbortSignal
  /** Called at least once a second. */
  onProgress(what: ReadonlyMap<FuzzKind, number>): void
  onFailure(failure: FuzzFailure): void
}

export interface CampaignResult {
  figures: Map<FuzzKind, Figures>
  failures: FuzzFailure[]
}

const worker = fileURLToPath(new URL('worker.ts', import.meta.url))
/** Milliseconds without a sign of life. What a request may take at most is far less. */
const silence = 60_000
/** The same before the first input: sources are compiled and tables filled. */
const startSilence = 240_000
const second = 1000

/** The process of one kind, and all processes that it starts: one group, so that none is left behind. */
/** @param folder for the files of the process and of its servers; the system's if none is given */
export function startWorker(job: FuzzJob, stdio: 'inherit' | 'pipe', folder?: string): ChildProcess {
  return fork(worker, [JSON.stringify(job)], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    stdio: ['ignore', stdio, stdio, 'ipc'],
    detached: true,
    // A process that is killed removes nothing.
    env: { ...process.env, ...(folder !== undefined && { TMPDIR: folder }) },
  })
}

/** Ends a process with everything that it has started. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** @throws Error when the fuzzer itself fails */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const failures: FuzzFailure[] = []
  const figures = new Map<FuzzKind, Figures>()
  const progress = new Map<FuzzKind, number>()
  const timer = setInterval(() => options.onProgress(progress), second)
  const total = options.kinds.reduce((sum, kind) => sum + shares[kind], 0)
  const found = (failure: FuzzFailure) => {
    // Kinds meet the same defects.
    if (failures.some(({ signature }) => signature === failure.signature)) return
    failures.push(failure)
    options.onFailure(failure)
  }
  try {
    await Promise.all(
      options.kinds.map((kind) => {
        const inputs = Math.ceil((options.inputs * shares[kind]) / total)
        const positionFile = join(folder, kind)
        const { seed, time, signal } = options
        figures.set(kind, emptyFigures())
        return runKind({ kind, seed, time, inputs, positionFile, round: 0, known: [] }, signal, {
          failures,
          figures: figures.get(kind) as Figures,
          onInputs: (count) => progress.set(kind, count),
          found,
        })
      }),
    )
  } finally {
    clearInterval(timer)
    rmSync(folder, { recursive: true, force: true })
  }
  return { figures, failures }
}

interface Gathering {
  figures: Figures
  onInputs(count: number): void
  /** Of all kinds, so far. */
  failures: readonly FuzzFailure[]
  found(failure: FuzzFailure): void
}

/** Starts the process of a kind again after the round that it did not survive. */
async function runKind(job: FuzzJob, signal: AbortSignal, gathering: Gathering): Promise<void> {
  let round = job.round
  let done = 0
  const begin = Date.now()
  // The first process has all of it, however long its servers take to start.
  const time = () => (round === job.round ? job.time : left())
  const left = () => job.time - (Date.now() - begin)
  while (!signal.aborted && done < job.inputs && left() > 0) {
    const before = done
    const known = gathering.failures.map(({ signature }) => signature)
    const child = startWorker(
      { ...job, round, known, inputs: job.inputs - before, time: time() },
      'pipe',
      dirname(job.positionFile),
    )
    const end = await watched(child, job, signal, (what) => {
      if (what.type === 'progress') gathering.onInputs(before + what.inputs)
      if (what.type === 'failure') gathering.found(what.failure)
      if (what.type !== 'round') return
      round = what.round + 1
      addFigures(gathering.figures, what.figures)
      done = Object.values(gathering.figures.counts).reduce((sum, { inputs }) => sum + inputs, 0)
      gathering.onInputs(done)
    })
    if (end === undefined) return
    const [lost = '0', at = '0'] = position(job).split(':')
    const replay = `${job.kind}:${job.seed}:${lost}:${at}`
    const shown = await shownBy({ ...job, round: Number(lost), path: at, show: true })
    gathering.found({
      ...end,
      signature: `${end.class} of the process at ${replay}`,
      replay,
      shown,
      shrinks: 0,
    })
    round = Number(lost) + 1
    done += 1
  }
}

/** The input that a process did not survive. */
async function shownBy(job: FuzzJob): Promise<string[]> {
  const child = startWorker(job, 'pipe', dirname(job.positionFile))
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  return output.trim().split('\n')
}

function position({ positionFile }: FuzzJob): string {
  try {
    return readFileSync(positionFile, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Until the process has ended.
 *
 * @returns what is wrong if it did not end on its own
 * @throws Error when the fuzzer itself fails
 */
function watched(
  child: ChildProcess,
  job: FuzzJob,
  signal: AbortSignal,
  onReport: (what: Report) => void,
): Promise<Pick<FuzzFailure, 'class' | 'message'> | undefined> {
  return new Promise((resolve, reject) => {
    let [output, last, heard, ended] = ['', '', Date.now(), false]
    let hung = false
    const end = () => endGroup(child)
    const timer = setInterval(() => {
      const now = position(job)
      if (now !== last) heard = Date.now()
      last = now
      if (Date.now() - heard < (now === '' ? startSilence : silence)) return
      hung = true
      end()
    }, second)
    signal.addEventListener('abort', end)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output = (output + chunk).slice(-4000)
      })
    child.on('message', (what: Report) => {
      heard = Date.now()
      if (what.type === 'error') reject(new Error(`The fuzzer itself failed (${job.kind}): ${what.message}`))
      else if (what.type === 'end') ended = true
      else onReport(what)
    })
    child.once('close', (code, killed) => {
      clearInterval(timer)
      signal.removeEventListener('abort', end)
      end()
      if (ended || signal.aborted) resolve(undefined)
      else if (hung) resolve({ class: 'hang', message: `nothing happened for ${silence / second} s` })
      else resolve({ class: 'crash', message: `the process ended (${killed ?? code}): ${output}` })
    })
  })
}
