/**
 * The report as lines of a terminal: the outline from the failures down to the verdict, which comes last. A function of
 * data; the caller writes the lines.
 *
 * @module
 */

import { visible, visibleIn } from '../../exchange/visible.ts'
import type { Finding, RunReport, Smoke, Status } from '../vocabulary/findings.ts'
import { findingEntry, followsText, type ReportEntry } from './entry.ts'
import { screenLimits } from './limits.ts'
import { outline } from './outline.ts'
import type { Paint } from './paint.ts'
import { lowerFirst, type Section } from './sections.ts'

export interface TerminalOptions {
  paint: Paint
  /** Only the verdict, the failures' names, and what was done to the target. */
  quiet?: boolean
  /** Passed and observed findings, too. */
  verbose?: boolean
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

/** The smoke check in one screen. Empty when nothing is missing. */
export function smokeLines(smoke: Smoke, paint: Paint): string[] {
  const { missingTables, unlocks, notes } = visibleIn(smoke)
  if (missingTables.length === 0 && unlocks.length === 0 && notes.length === 0) return []
  const lines = [paint.bold('before the run')]
  if (missingTables.length > 0) lines.push(`  tables not found: ${missingTables.join(', ')}`)
  for (const note of notes) lines.push(`  ${note}`)
  if (unlocks.length > 0) lines.push('  one more line would enable:')
  const most = screenLimits.rows
  for (const { line, checks } of unlocks.slice(0, most))
    lines.push(`    ${String(checks).padStart(4)} checks  ${line}`)
  if (unlocks.length > most) lines.push(`    and ${unlocks.length - most} more`)
  return lines.map(oneRow)
}

export function reportLines(
  given: RunReport,
  { paint, quiet = false, verbose = false }: TerminalOptions,
): string[] {
  const limits = verbose ? { ...screenLimits, differences: 100 } : screenLimits
  const { report, sections, notes, cost } = outline(given, limits)
  const isShown = ({ shown }: Section) =>
    shown === 'always' || (shown === 'usually' && !quiet) || (shown === 'verbose' && verbose)
  const color = report.verdict.exitCode === 0 ? paint.green : paint.red
  return [
    ...sections.filter(isShown).flatMap((section) => sectionLines(section, paint, quiet)),
    '',
    ...report.verdict.lines.map((line) => color(line)),
    ...notes,
    paint.dim(cost),
  ].map(oneRow)
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

/** What is advised on findings is too long for a reader who asked for less. */
function adviceLines(next: string, form: Section['form'], paint: Paint, quiet: boolean): string[] {
  if (form === 'rows') return [`  ${next}`]
  return quiet ? [] : ['', `  ${paint.dim(next)}`]
}

/** A finding as it stands under "failed". */
export function findingLines(finding: Finding, paint: Paint): string[] {
  return wholeLines(findingEntry(finding, screenLimits), paint)
}

/** Name and place, the claim, what happened, what was expected and what came, and how to see it again. */
function wholeLines(entry: ReportEntry, paint: Paint): string[] {
  const { name, place, statement, message, facts, follows, earlier, curl, replay } = entry
  return [
    place === undefined ? `  ${name}` : `  ${marked(entry, paint)} ${paint.bold(name)}  ${paint.dim(place)}`,
    ...(statement === undefined ? [] : [`    ${paint.dim(statement)}`]),
    ...indented(message),
    ...factLines(facts),
    ...(follows.length === 0 ? [] : [`    blocks    ${followsText(follows, screenLimits.names)}`]),
    ...(earlier === 0
      ? []
      : [
          `    ${paint.dim(`${earlier} earlier ${earlier === 1 ? 'request' : 'requests'}: see --report json=FILE`)}`,
        ]),
    ...curlLines(curl, paint),
    ...replayLines(replay),
  ]
}

function briefLines(entry: ReportEntry, paint: Paint): string[] {
  if (entry.status !== undefined) return [`  ${marked(entry, paint)} ${entry.name}`]
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
  return curl.map((line) => {
    const shown = line.length > most ? `${line.slice(0, most)}… (complete with --report json=FILE)` : line
    return `    ${paint.dim('$')} ${shown}`
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
