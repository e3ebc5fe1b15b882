/**
 * `conformance compare A B`: what broke, was fixed, changed or is new between two reports, or two targets run now.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { isObject } from '../exchange/json-object.ts'
import { visible } from '../exchange/visible.ts'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import type { RunOptions } from '../harness/generated/run-options.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { compareReports, type ReportComparison } from '../harness/report/compare/comparison.ts'
import { createPaint } from '../harness/report/paint.ts'
import { expectWritable, rewriteWhole } from '../harness/support/write-whole.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { loadRequirements } from '../spec/requirements.ts'
import type { CompareFlags, ComparisonFormat } from './compare-options.ts'
import { isLive } from './is-live.ts'
import { printLines } from './print-lines.ts'
import { progressAside } from './progress-aside.ts'
import { readReport } from './read-report.ts'
import { exitCodeOf, stoppingLine, untilInterrupted } from './stop-signal.ts'
import { useColor } from './use-color.ts'

/** Instead of a target: the reference server in this process. */
const embedded = 'embedded'

/**
 * @param before a JSON report, the URL of a server, a target file, the name of a shipped target, or `embedded`
 * @param after the same
 * @returns the exit code: 1 when something got worse, 2 when a target could not be judged
 * @throws ConfigurationError for a side that is not one of these
 */
export async function compareCommand(before: string, after: string, flags: CompareFlags): Promise<number> {
  for (const order of flags.report ?? []) place(order, () => expectWritable(order.file))
  const formats = await import('../harness/report/compare/compare-formats.ts')
  const pure = flags.report?.some(({ file }) => file === '-') === true
  const out = pure ? process.stderr : process.stdout
  const { signal, done } = untilInterrupted(() => {
    process.stderr.write(`${stoppingLine}\n`)
  })
  try {
    // One after the other: both may be the same server, or share a machine.
    const first = await reportOf(before, flags, signal)
    // The same requests to both.
    const second = await reportOf(after, { ...flags, seed: flags.seed ?? first.seed }, signal)
    if (signal.aborted) return exitCodeOf(signal.reason)
    const comparison = compareReports(first, second)
    const paint = createPaint(useColor(flags.color, out))
    printLines(out, formats.comparisonLines(comparison, paint, flags.quiet === true))
    const print: Record<ComparisonFormat, (comparison: ReportComparison) => string> = {
      markdown: formats.comparisonMarkdown,
      html: formats.comparisonHtml,
      json: formats.comparisonJson,
    }
    for (const order of flags.report ?? [])
      place(order, () => write(order.file, print[order.format](comparison)))
    return exitCode(comparison)
  } finally {
    done()
  }
}

function exitCode({ worse, after }: ReportComparison): number {
  if (after.verdict.outcome === 'error') return 2
  return worse ? 1 : 0
}

async function reportOf(side: string, flags: CompareFlags, signal: AbortSignal): Promise<RunReport> {
  if (!isTarget(side)) return selected(readReport(side, `conformance compare ${side}`), side, flags)
  const { report: _orders, color, quiet: _quiet, ...options } = flags
  const target = targetOf(side)
  const { runConformance } = await import('../harness/run.ts')
  const progress = progressAside(color)
  try {
    // With a progress line, the reader sees which of the two it is about.
    if (isLive(process.stderr)) process.stderr.write(`${visible(side)}\n`)
    return await runConformance({ ...options, ...target, signal, onEvent: progress.event })
  } catch (error) {
    throw error instanceof ConfigurationError && error.place === `--target ${side}`
      ? noSide(side, error)
      : error
  } finally {
    progress.clear()
  }
}

/** What is neither there nor shipped may have been meant as a report, too. */
function noSide(side: string, { next }: ConfigurationError): ConfigurationError {
  return new ConfigurationError(
    `there is no report, target file or shipped target "${side}"`,
    `conformance compare ${side}`,
    `${next}; to write a report, use \`conformance --report json=FILE\``,
  )
}

function targetOf(side: string): RunOptions {
  if (side === embedded) return {}
  return /^https?:\/\//.test(side) ? { baseUrl: side } : { target: side }
}

/** A target has an address, a name, or a file in YAML, JSON or JavaScript. Any other file was meant as a report. */
function isTarget(side: string): boolean {
  if (side === embedded || /^https?:\/\//.test(side)) return true
  if (!/[\\/.]/.test(side) && !existsSync(side)) return true
  if (/\.(?:ya?ml|[mc]?[jt]s)$/i.test(side)) return true
  try {
    const content: unknown = JSON.parse(readFileSync(side, 'utf8'))
    return isObject(content) && !('findings' in content) && ('baseUrl' in content || 'tables' in content)
  } catch {
    // Reading it as a report says what is wrong with it.
    return false
  }
}

/** The part of a report that a run with the same flags has. */
function selected(report: RunReport, side: string, { only, skip, level }: CompareFlags): RunReport {
  const { findings } = report
  const checks = findings.map((finding) => ({ id: finding.requirement, finding }))
  const planned = planChecks(checks, loadRequirements(), { only, skip, level })
  if (planned.length === findings.length) return report
  if (planned.length === 0)
    throw new ConfigurationError(
      'the report contains none of the selected requirements',
      `conformance compare ${side}`,
      'select requirements that it contains, or omit --only, --skip and --level',
    )
  return { ...report, findings: planned.map(({ finding }) => finding) }
}

function write(file: string, text: string): void {
  if (file === '-') process.stdout.write(text)
  else rewriteWhole(file, text)
}

function place({ format, file }: { format: string; file: string }, work: () => void): void {
  if (file === '-') {
    work()
    return
  }
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw unwritable('the comparison', `--report ${format}=${file}`, error)
  }
}
