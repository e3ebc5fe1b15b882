/**
 * `conformance coverage [REPORT]`: what a run, or validated traffic, has sent and seen of the API description.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { isObject } from '../exchange/json-object.ts'
import { visible, visibleIn, visibleJson } from '../exchange/visible.ts'
import { ConfigurationError } from '../harness/errors.ts'
import { coverageLines, missingLines } from '../harness/report/coverage-lines.ts'
import { coverageMarkdown, missingMarkdown } from '../harness/report/coverage-markdown.ts'
import { coverageView, type OperationView } from '../harness/report/coverage-view.ts'
import { coverageJson } from '../harness/report/json.ts'
import { inline } from '../harness/report/markdown.ts'
import { createPaint } from '../harness/report/paint.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { operationPaths } from '../spec/generated/operations.ts'
import { didYouMean } from '../spec/nearest.ts'
import { whyUnseen } from '../spec/unseen.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import type { CoverageReport, MissingParts } from '../validate/coverage/coverage-report.ts'
import { belowFloor, shareLines } from '../validate/coverage/create-coverage.ts'
import type { CoverageFlags } from './coverage-options.ts'
import { printLines } from './print-lines.ts'
import { progressAside } from './progress-aside.ts'
import { useColor } from './use-color.ts'

const nonConformant = 1
const nothing = 3

interface Covered {
  /** A description of what was covered. */
  what: string
  coverage: CoverageReport
  /** Exit code of the run; 0 without one. */
  exitCode: number
  /** Paragraphs about where it comes from. */
  origin: readonly string[]
}

/**
 * @param file a JSON report, or a coverage file; without one, the suite runs against the embedded reference
 * @returns the exit code: 1 below `--fail-under`, 3 if nothing was seen, or the code of a run that was not conformant
 * @throws ConfigurationError for a file that cannot be used
 */
export async function coverageCommand(file: string | undefined, flags: CoverageFlags): Promise<number> {
  const asked = flags.operation?.map(operationNamed)
  const covered = file === undefined ? await run(flags) : read(file)
  const { coverage, exitCode } = covered
  const shown = asked === undefined ? coverage : partOf(coverage, asked)
  const missed = belowFloor(coverage, flags.failUnder ?? {})
  if (flags.format === 'json') process.stdout.write(jsonOf(shown, flags))
  else if (flags.format === 'markdown') process.stdout.write(visible(markdownOf(covered, shown, flags)))
  else printLines(process.stdout, textOf(covered, shown, flags))
  for (const line of missed) process.stderr.write(`below --fail-under: ${line}\n`)
  if (exitCode !== 0) return exitCode
  if (coverage.operations.seen === 0) return nothing
  return missed.length > 0 ? nonConformant : 0
}

function markdownOf(
  { what, coverage: whole, origin }: Covered,
  shown: CoverageReport,
  flags: CoverageFlags,
): string {
  const views = askedViews(shown, flags)
  const body = flags.missing === true ? missingMarkdown(views) : coverageMarkdown(views)
  const head = [`# Coverage of ${inline(what)}`, '', ...origin.flatMap((line) => [line, ''])]
  const share = shareLines(whole).map((line) => `- ${line.trim().replace(/ {2,}/, ': ')}`)
  return `${[...head, ...share, '', ...body].join('\n')}\n`
}

function textOf({ what, coverage: whole }: Covered, shown: CoverageReport, flags: CoverageFlags): string[] {
  const { name, version } = packageFacts()
  const views = visibleIn(askedViews(shown, flags))
  const paint = createPaint(useColor(flags.color, process.stdout))
  const body =
    flags.missing === true
      ? missingLines(views, paint)
      : coverageLines(views, paint, flags.operation !== undefined)
  return [visible(`${name} ${version}  coverage of ${what}`), ...shareLines(whole), ...body]
}

function askedViews(shown: CoverageReport, { operation: asked }: CoverageFlags): OperationView[] {
  return coverageView(shown).filter(({ operation }) => asked === undefined || asked.includes(operation))
}

function jsonOf(coverage: CoverageReport, { missing }: CoverageFlags): string {
  if (missing !== true) return coverageJson(coverage)
  return `${visibleJson(coverage.missing.map(withReasons), 2)}\n`
}

function withReasons(parts: MissingParts): MissingParts & { reasons: Record<string, string> } {
  const reasons = [...parts.statuses, ...parts.parameters, ...parts.actors].flatMap((what) => {
    const reason = whyUnseen(parts.operation, what)
    return reason === undefined ? [] : [[what, reason] as const]
  })
  return { ...parts, reasons: Object.fromEntries(reasons) }
}

/** @throws ConfigurationError for an unknown operation */
function operationNamed(name: string): OperationId {
  const ids = operationPaths.map(({ id }) => id)
  const found = ids.find((id) => id === name)
  if (found !== undefined) return found
  throw new ConfigurationError(
    `there is no operation "${name}"`,
    `--operation ${name}`,
    `use one of ${ids.join(', ')}.${didYouMean(name, ids)}`,
  )
}

function partOf(coverage: CoverageReport, operations: readonly OperationId[]): CoverageReport {
  const seen = operations.flatMap((id) =>
    coverage.seen[id] === undefined ? [] : [[id, coverage.seen[id]] as const],
  )
  const missing = coverage.missing.filter(({ operation }) => operations.includes(operation))
  return { ...coverage, seen: Object.fromEntries(seen), missing }
}

async function run({ seed, color }: CoverageFlags): Promise<Covered> {
  const { runConformance } = await import('../harness/run.ts')
  const out = process.stderr
  const progress = progressAside(color)
  const report = await runConformance({ seed, onEvent: progress.event })
  progress.clear()
  if (report.verdict.exitCode !== 0) for (const line of report.verdict.lines) out.write(`${visible(line)}\n`)
  return { ...coveredBy(report), exitCode: report.verdict.exitCode }
}

function read(file: string): Covered {
  const content = parsed(file)
  if (isObject(content) && 'findings' in content) {
    if (!isCoverage(content.coverage)) throw unusable(file, 'it has no coverage')
    return coveredBy({ ...(content as unknown as RunReport), coverage: content.coverage })
  }
  if (!isCoverage(content)) throw unusable(file, 'it is neither a report nor a coverage file')
  const { name, version } = packageFacts()
  return { what: file, coverage: content, exitCode: 0, origin: [`Written by ${name} ${version}.`] }
}

function coveredBy(report: RunReport): Covered {
  return { what: describeRun(report), coverage: report.coverage, exitCode: 0, origin: originOf(report) }
}

/** Which run it was. Reports of other programs may lack some of it. */
function originOf({ suite, target, startedAt, requests, verdict }: Partial<RunReport>): string[] {
  const facts = [
    `${suite?.name} ${suite?.version}`,
    ...(target?.profile === undefined ? [] : [`profile ${target.profile}`]),
    `started at ${startedAt}`,
    `${requests} requests`,
  ]
  return [
    `The run: ${inline(facts.join(', '))}.`,
    `Its verdict: ${inline((verdict?.lines ?? []).join('; '))}.`,
  ]
}

function describeRun({ target, seed }: Pick<RunReport, 'target' | 'seed'>): string {
  return `${target?.name ?? target?.baseUrl}, seed ${seed}`.replaceAll('\n', ' ')
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw unusable(file, code ?? message)
  }
}

function unusable(file: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `the coverage cannot be read (${why})`,
    `conformance coverage ${file}`,
    'write a report with `conformance --report json=FILE`, or leave the file out to test the embedded reference',
  )
}

/** The part that is shown. */
function isCoverage(value: unknown): value is CoverageReport {
  if (!isObject(value) || !isObject(value.seen) || !Array.isArray(value.missing)) return false
  const counts = [value.operations, value.statuses, value.parameters, value.actors, value.requirements]
  return (
    counts.every((count) => isObject(count) && typeof count.seen === 'number') &&
    Object.values(value.seen).every((rows) => Array.isArray(rows) && rows.every(isRow)) &&
    value.missing.every(isMissing)
  )
}

function isRow(value: unknown): boolean {
  if (!isObject(value)) return false
  const { status, actor, parameters, requirements } = value
  return (
    typeof status === 'number' && typeof actor === 'string' && [parameters, requirements].every(isStrings)
  )
}

function isMissing(value: unknown): boolean {
  if (!isObject(value)) return false
  const { operation, statuses, parameters, actors } = value
  return typeof operation === 'string' && [statuses, parameters, actors].every(isStrings)
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
