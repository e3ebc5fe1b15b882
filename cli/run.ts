/**
 * `conformance run`: runs the suite, shows the report, gives the exit code.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import type { RunOptions } from '../harness/generated/run-options.ts'
import { observedChoices } from '../harness/judging/observed.ts'
import { annotationLines } from '../harness/report/annotations.ts'
import { createPaint } from '../harness/report/paint.ts'
import { createProgress } from '../harness/report/progress.ts'
import { reportLines } from '../harness/report/terminal.ts'
import { runConformance } from '../harness/run.ts'
import { declaredOptions } from '../harness/run-options.ts'
import { expectWritable, rewriteWhole } from '../harness/support/write-whole.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { loadGaps } from '../spec/gaps.ts'
import { columnsOf } from './columns-of.ts'
import { isLive } from './is-live.ts'
import { lastFailed, rememberFailed, selectedOf } from './last-failed.ts'
import { listCommand } from './list.ts'
import type { RunFlags } from './run-options.ts'
import { exitCodeOf, stoppingLine, untilInterrupted } from './stop-signal.ts'
import { useColor } from './use-color.ts'
import { waitFor } from './wait-for.ts'
import { warnOfUnusedTarget } from './warn-of-unused-target.ts'
import { addressIn } from './watch-run.ts'
import { expectReportPlaces, isReportOnStdout, writeReports, writeStepSummary } from './write-reports.ts'

/** @returns the exit code */
export async function runCommand(flags: RunFlags): Promise<number> {
  if (flags.list === true) return listForTarget(flags)
  expectFlags(flags)
  expectPlaces(flags)
  warnOfUnusedTarget(flags)
  await waitIfRequested(flags)
  if (flags.watch !== true) return runOnce(flags)
  const { watchRuns } = await import('./watch-run.ts')
  return watchRuns(flags, () => runOnce(flags))
}

/** What the target file declares counts, and a mistake in it is one here, too. No request is sent. */
async function listForTarget({ only, skip, level, ...options }: RunFlags): Promise<number> {
  const { readTarget } = await import('../harness/target/prepare-given.ts')
  const target = await readTarget(options, process.env)
  return listCommand({ only, skip, level, target })
}

/** @throws ConfigurationError if the address is not known, or nothing is there in time */
async function waitIfRequested({ wait, baseUrl, target = '' }: RunFlags): Promise<void> {
  if (wait === undefined) return
  const address = baseUrl ?? (existsSync(target) ? addressIn(target) : undefined)
  if (address === undefined)
    throw new ConfigurationError(
      '--wait has nothing to wait for: no address is given',
      '--wait',
      'name a server with --base-url, or a target file with a baseUrl',
    )
  await waitFor(address, wait)
}

async function runOnce(given: RunFlags): Promise<number> {
  const out = isReportOnStdout(given.report) ? process.stderr : process.stdout
  const flags = given.failed === true ? onlyFailed(given, (line) => out.write(`${line}\n`)) : given
  const paint = createPaint(useColor(flags.color, out))
  const quiet = flags.quiet === true
  // A file or a pipe gets the report alone.
  const aside = out.isTTY === true ? out : process.stderr
  const columns = columnsOf(out)
  const progress = createProgress({
    write: (text) => void out.write(text),
    writeProgress: (text) => void aside.write(text),
    live: isLive(aside),
    columns: columnsOf(aside),
    reportColumns: columns,
    paint,
    quiet,
  })
  const { signal, done } = untilInterrupted(() => {
    progress.clear()
    out.write(`${stoppingLine}\n`)
  })
  try {
    const report = await runConformance({ ...optionsOf(flags), signal, onEvent: progress.event })
    progress.clear()
    rememberFailed(targetName(flags), report.findings)
    const lines = reportLines(report, { paint, quiet, verbose: flags.verbose === true, columns })
    for (const line of process.env.GITHUB_ACTIONS === 'true' ? onGitHub(lines, report) : lines)
      out.write(`${line}\n`)
    await writeReports(flags.report, report)
    await writeStepSummary(report)
    if (flags.writeProfile !== undefined) await writeProfile(flags.writeProfile, report)
    return signal.aborted ? exitCodeOf(signal.reason) : report.verdict.exitCode
  } finally {
    progress.clear()
    done()
  }
}

/** Selects what failed the last time, of what is selected otherwise. If nothing did, everything that is selected. */
function onlyFailed(flags: RunFlags, say: (line: string) => void): RunFlags {
  const { only } = flags
  const last = lastFailed(targetName(flags))
  const failed = selectedOf(last ?? [], only)
  const everything = only === undefined ? 'everything' : 'everything that --only selects'
  const ofThem = only === undefined ? '' : ' of the selection'
  if (last === undefined) say(`no earlier run on this target is known: running ${everything}`)
  else if (failed.length === 0) say(`nothing${ofThem} failed in the last run: running ${everything}`)
  else say(`${failed.length}${ofThem} failed in the last run`)
  return failed.length === 0 ? flags : { ...flags, only: failed }
}

/** A name for the target: its file or URL. The embedded reference has another port in each run. */
function targetName({ baseUrl = '', target = '' }: RunFlags): string {
  return [existsSync(target) ? realpathSync(target) : target, baseUrl].filter(Boolean).join(' ') || 'embedded'
}

/** The report, in which nothing that a server sent is a command to the runner of a GitHub job, then its annotations. */
function onGitHub(lines: readonly string[], report: RunReport): string[] {
  const end = randomUUID()
  return [`::stop-commands::${end}`, ...lines, `::${end}::`, ...annotationLines(report)]
}

/** The options of the run, without options of the command. */
function optionsOf(flags: RunFlags): RunOptions {
  const given: Readonly<Record<string, unknown>> = { ...flags, headers: flags.header }
  return Object.fromEntries(declaredOptions().map(([name]) => [name, given[name]]))
}

function expectFlags({ quiet, verbose }: RunFlags): void {
  if (quiet === true && verbose === true)
    throw new ConfigurationError(
      '--quiet and --verbose contradict each other',
      '--quiet --verbose',
      'use one of them',
    )
}

function expectPlaces({ report, writeProfile: profile }: RunFlags): void {
  expectReportPlaces(report)
  try {
    if (profile !== undefined) expectWritable(profile)
  } catch (error) {
    throw noProfile(profile, error)
  }
}

function noProfile(file: string | undefined, error: unknown): ConfigurationError {
  return unwritable('the profile', `--write-profile ${file}`, error)
}

/** What was observed, as a profile to claim. */
async function writeProfile(file: string, report: RunReport): Promise<void> {
  const { profileText } = await import('../harness/judging/profile-text.ts')
  const responses = observedChoices(report.findings, loadGaps().values())
  const name = report.target.name ?? new URL(report.target.baseUrl).host
  try {
    rewriteWhole(file, profileText(name, responses))
  } catch (error) {
    throw noProfile(file, error)
  }
}
