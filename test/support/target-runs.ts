/**
 * Runs of the command against an independent server: in a folder and with a state of their own.
 *
 * @module
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { type JournalState, journalsOf } from '../../harness/cleanup/journal.ts'
import type { Finding } from '../../harness/vocabulary/finding.ts'
import type { RunReport } from '../../harness/vocabulary/report.ts'
import { builtCommand } from '../../scripts/support/command.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import { type IndependentServer, startIndependentServer } from '../fixtures/independent-server.ts'
import { independentTarget } from '../fixtures/independent-target.ts'
import type { CommandEnd, CommandInput } from './command-end.ts'

export const MINUTE = 60_000

export interface RunEnd {
  code: number | null
  out: string
}

export interface Reported extends RunEnd {
  report: RunReport
}

export interface Begun<T> {
  child: ChildProcess
  ended: Promise<T>
}

/**
 * Kept for one test file; the server for one test.
 *
 * @param command runs it in the process of the test: `conformance` of `run-here.ts`. @default a process for each
 */
export function targetRuns(command?: (args: string[], input: CommandInput) => Promise<CommandEnd>) {
  const folder = mkdtempSync(join(tmpdir(), 'targets-'))
  const state = join(folder, 'state')
  const env = { ...userEnvironment(), CONFORMANCE_STATE_DIR: state }
  let server: IndependentServer | undefined
  let reports = 0
  afterEach(() => server?.close())
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function begin(args: string[]): Begun<RunEnd> {
    const child = spawn(process.execPath, [builtCommand, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        out += chunk
      })
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, out })) }
  }

  async function conformance(args: string[]): Promise<RunEnd> {
    if (command === undefined) return begin(args).ended
    const { code, out, err } = await command(args, { env: { CONFORMANCE_STATE_DIR: state } })
    return { code, out: out + err }
  }

  /** Adds seed 7 and a report to the arguments. */
  function reporting(args: string[]): { all: string[]; reported(end: RunEnd): Reported } {
    const file = join(folder, `report-${++reports}.json`)
    return {
      all: [...args, '--seed', '7', '--report', `json=${file}`],
      reported({ code, out }) {
        try {
          return { code, out, report: JSON.parse(readFileSync(file, 'utf8')) as RunReport }
        } catch {
          throw new Error(`no report was written: ${out}`)
        }
      },
    }
  }

  /** With seed 7 and a report. */
  function beginRun(args: string[]): Begun<Reported> {
    const { all, reported } = reporting(args)
    const { child, ended } = begin(all)
    return { child, ended: ended.then(reported) }
  }

  /** With seed 7 and a report. */
  async function run(args: string[]): Promise<Reported> {
    const { all, reported } = reporting(args)
    return reported(await conformance(all))
  }

  return {
    folder,
    async started(options: Parameters<typeof startIndependentServer>[0] = {}) {
      server = await startIndependentServer(options)
      return { server, target: independentTarget(server.baseUrl) }
    },
    file(name: string, content: unknown): string {
      const path = join(folder, name)
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
    begin,
    beginRun,
    conformance,
    run,
    journals: (): JournalState[] => (server === undefined ? [] : journalsOf(server.baseUrl, state)),
  }
}

/** Which requirement ended how, in an order of its own. */
export function outcomes(findings: readonly Finding[]): string[] {
  return findings.map(({ requirement, status }) => `${requirement} ${status}`).sort()
}

/** Waits until something is so. @throws Error when the run ends before */
export async function until(child: ChildProcess, holds: () => boolean): Promise<void> {
  const ended = () => child.exitCode !== null && !holds()
  const options = { interval: 2, timeout: MINUTE }
  await vi.waitFor(() => expect(holds() || ended()).toBe(true), options)
  if (!holds()) throw new Error(`the run ended too early, with ${child.exitCode}`)
}
