/**
 * The report as lines of a terminal: the outline from the failures down to the verdict, which comes last. A function of
 * data; the caller writes the lines.
 *
 * @module
 */

import { visible, visibleIn } from '../../exchange/visible.ts'
import { countOf } from '../../spec/count-of.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunReport, Smoke } from '../vocabulary/report.ts'
import {
  countedLines,
  factOf,
  findingEntry,
  followsText,
  namesText,
  type ReportEntry,
  timesText,
} from './entry.ts'
import { screenLimits } from './limits.ts'
import { outline } from './outline.ts'
import type { Paint } from './paint.ts'
import { isBlockedSection, lowerFirst, type Section } from './sections.ts'
import { wrapped } from './wrapped.ts'

export interface TerminalOptions {
  paint: Paint
  /** Only the verdict, the failures' names, and what was done to the target. */
  quiet?: boolean
  /** Passed and observed findings, too. */
  verbose?: boolean
  /** Width of the terminal. @default as wide as the lines are */
  columns?: number
}

const sign: Record<Status, string> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: '·',
  'not-applicable': '-',
  blocked: '◌',
  untestable: '?',
}

/** The first line: who tests what, and the seed that repeats it. */
export function headline(
  name: string,
  version: string,
  target: string,
  baseUrl: string,
  seed: number,
): string {
  const where = target === baseUrl ? baseUrl : `${target} (${baseUrl})`
  return oneRow(visible(`${name} ${version}  target ${where}  seed ${seed}`))
}

/**
 * The smoke check in a few lines, so that the first screen has room for the failures. Empty when nothing is missing.
 * `conformance doctor` shows what each line of a target file would enable.
 */
export function smokeLines(smoke: Smoke, paint: Paint): string[] {
  const { missingTables, unlocks, notes } = visibleIn(smoke)
  if (missingTables.length === 0 && unlocks.length === 0 && notes.length === 0) return []
  // The report has a row for missing operations.
  const reported = notes.filter((note) => !note.startsWith('the server has no '))
  const lines = [paint.bold('before the run'), ...reported.map((note) => `  ${note}`)]
  if (missingTables.length > 0) lines.push(`  tables not found: ${namesText(missingTables, mostTables)}`)
  if (unlocks.length > 0)
    lines.push('  `conformance doctor` with the same target shows what would enable more checks')
  return lines.map(oneRow)
}

/** Roles of missing tables that are named: there may be twenty. */
const mostTables = 3

const verboseLimits = {
  ...screenLimits,
  reasons: Number.POSITIVE_INFINITY,
  wholeDifferences: Number.POSITIVE_INFINITY,
}

/** Statuses of requirements that were judged. */
const judged: ReadonlySet<Status> = new Set(['pass', 'fail', 'warn'])

export function reportLines(
  given: RunReport,
  { paint, quiet = false, verbose = false, columns = Number.POSITIVE_INFINITY }: TerminalOptions,
): string[] {
  const limits = verbose ? verboseLimits : screenLimits
  const { report, sections, first, notes, cost } = outline(given, limits)
  // Without a result, the reasons are all there is to report.
  const isIdle = !report.findings.some(({ status }) => judged.has(status))
  const isIncomplete = report.verdict.outcome === 'incomplete'
  const isShown = (section: Section) =>
    section.shown === 'always' ||
    // Nothing else says why the exit code is 3: what blocks them may be known, and is not listed then.
    (isIncomplete && isBlockedSection(section)) ||
    (isIdle && (isBlockedSection(section) || section.title === 'Untestable')) ||
    isRequested(section)
  const isRequested = ({ shown }: Section) =>
    (shown === 'usually' && !quiet) ||
    (shown === 'terminal' && !quiet && !verbose) ||
    (shown === 'verbose' && verbose)
  const firstLines = first === undefined || quiet ? [] : [paint.bold(first.text)]
  const color = report.verdict.exitCode === 0 ? paint.green : paint.red
  return [
    ...(firstLines.length === 0 ? [] : ['', ...firstLines]),
    ...sections.filter(isShown).flatMap((section) => sectionLines(section, paint, quiet)),
    '',
    ...firstLines,
    ...report.verdict.lines.map((line) => color(line)),
    ...notes,
    paint.dim(cost),
  ]
    .map(oneRow)
    .flatMap((line) => wrapped(line, columns))
}

/** A section with its entries. */
export function sectionLines(
  { title, form, entries, columns, more, next }: Section,
  paint: Paint,
  quiet: boolean,
): string[] {
  const widest = columns === undefined ? 0 : Math.max(...entries.map(({ name }) => name.length))
  const body = entries.flatMap((entry, at) => {
    if (form === 'rows') return rowLines({ ...entry, name: entry.name.padEnd(widest) }, paint, quiet)
    if (quiet) return briefLines(entry, paint)
    return at === 0 ? wholeLines(entry, paint) : ['', ...wholeLines(entry, paint)]
  })
  return [
    '',
    paint.bold(lowerFirst(title)),
    ...body,
    ...(more === 0 ? [] : [`  and ${more} more: see --report json=FILE`]),
    ...(entries.some(({ moreFacts }) => moreFacts > 0) ? ['  use --verbose to list what is different'] : []),
    ...(next === undefined ? [] : adviceLines(next, form, paint, quiet)),
  ]
}

/** What is advised on findings is too long for a reader who requested less. */
function adviceLines(next: string, form: Section['form'], paint: Paint, quiet: boolean): string[] {
  if (form === 'rows') return [`  ${next}`]
  return quiet ? [] : ['', `  ${paint.dim(next)}`]
}

/** A finding as shown under "failed". */
export function findingLines(finding: Finding, paint: Paint): string[] {
  return wholeLines(findingEntry(finding, screenLimits), paint)
}

/** Name and place, the statement, what happened, expected, received, and how to reproduce it. */
function wholeLines(entry: ReportEntry, paint: Paint): string[] {
  const { name, place, statement, message, facts, follows, earlier, curl, replay, about } = entry
  return [
    place === undefined ? `  ${name}` : `  ${marked(entry, paint)} ${paint.bold(name)}  ${paint.dim(place)}`,
    ...(statement === undefined ? [] : [`    ${paint.dim(statement)}`]),
    ...(isShort(entry) ? [`    ${factOf(entry)}`] : indented(message)),
    ...factLines(isShort(entry) ? facts.filter(({ verbatim }) => !verbatim) : facts),
    ...(follows.length === 0 ? [] : [`    blocks    ${followsText(follows, screenLimits.names)}`]),
    ...(earlier === 0
      ? []
      : [`    ${paint.dim(`${countOf(earlier, 'earlier request')}: see --report json=FILE`)}`]),
    ...curlLines(curl, paint),
    ...replayLines(replay),
    ...(about === undefined ? [] : [`    ${paint.dim(`about     ${about}`)}`]),
  ]
}

/** Whether the difference shows both values in full, and fits next to the message. */
function isShort({ message, difference, facts }: ReportEntry): boolean {
  const values = facts.filter(({ verbatim }) => verbatim)
  const whole = values.map(({ label, text }) => `${label} ${text}`).join(', ')
  return values.length > 0 && whole === difference && !message.includes('\n')
}

/** A failure in one line: what was sent, what is wrong, and the difference. */
function briefLines(entry: ReportEntry, paint: Paint): string[] {
  const { name, status, request } = entry
  if (status !== undefined) {
    const sent = request === undefined ? '' : `${request}: `
    return [`  ${marked(entry, paint)} ${name}  ${sent}${factOf(entry)}`]
  }
  return [`  ${entry.name}`, ...indented(entry.message)]
}

function rowLines(entry: ReportEntry, paint: Paint, quiet: boolean): string[] {
  const { name, status, message, facts, curl, replay } = entry
  const row = [
    status === undefined ? '' : `${marked(entry, paint)} `,
    name === '' ? '' : `${name}  `,
    message,
  ]
  if (quiet) return [`  ${row.join('')}`]
  return [`  ${row.join('')}`, ...factLines(facts), ...curlLines(curl, paint), ...replayLines(replay)]
}

function factLines(facts: ReportEntry['facts']): string[] {
  return facts.map(({ label, text }) => `    ${label === '' ? '' : `${label.padEnd(8)}  `}${text}`)
}

/** Not cut in the middle: it is there to be copied. */
function curlLines(curl: readonly string[], paint: Paint): string[] {
  const most = screenLimits.curl
  return countedLines(curl).map(({ line, times }) => {
    const shown = line.length > most ? `${line.slice(0, most)}… (complete with --report json=FILE)` : line
    return `    ${paint.dim('$')} ${shown}${times === 1 ? '' : paint.dim(timesText(times))}`
  })
}

function replayLines(replay: string | undefined): string[] {
  return replay === undefined ? [] : [`    replay    ${replay}`]
}

function marked({ status }: ReportEntry, paint: Paint): string {
  if (status === undefined) return ''
  const color = status === 'pass' ? paint.green : status === 'fail' ? paint.red : paint.yellow
  return color(sign[status])
}

/** What begins a line in the report is ours: no name or note of a server makes one that looks like a verdict. */
function oneRow(line: string): string {
  return line.replaceAll('\n', ' ')
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`)
}
