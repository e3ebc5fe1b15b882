/**
 * The report for people: failures first, each with what is needed to see it again; then what could not be judged and
 * how to unlock it; the verdict last. A function of data; the caller writes the lines.
 *
 * @module
 */

import { visible, visibleIn } from '../../exchange/visible.ts'
import { loadGaps } from '../../spec/gaps.ts'
import { answersOf, gapLines, worthALook } from '../judging/observed.ts'
import type { Finding, Leftover, RunReport, Smoke, Status } from '../vocabulary/findings.ts'
import { aftermath } from './aftermath.ts'
import { areasOf } from './areas.ts'
import { byOrigin, examplesText, noteOf, placeOf } from './evidence.ts'
import type { Paint } from './paint.ts'

export interface TerminalOptions {
  paint: Paint
  /** Only the verdict and the failures' names. */
  quiet?: boolean
  /** Passed and observed findings too. */
  verbose?: boolean
}

/** Characters of a curl line: more would fill the screen. */
const longestCurl = 1_000

/** Requests that are shown of a check that is no property. */
const mostRequests = 8

/** Failures that still fit on one screen with all that belongs to them. */
const mostOnAScreen = 3
const mostOfAnArea = 8

/** Records that are named of those left behind: a server that refuses every delete has hundreds. */
const mostLeftovers = 10

/** Who copies the last line of several would get a 404 and take it for the failure. */
const howToReplay =
  'the run deleted what it created: run the lines in order, replacing each id with the one your server returned, and "$NAME" with the secret'

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
  for (const { line, checks } of unlocks.slice(0, 8))
    lines.push(`    ${String(checks).padStart(4)} checks  ${line}`)
  if (unlocks.length > 8) lines.push(`    and ${unlocks.length - 8} more`)
  return lines.map(oneRow)
}

export function reportLines(
  given: RunReport,
  { paint, quiet = false, verbose = false }: TerminalOptions,
): string[] {
  // Exchanges are not shown here, and may be long.
  const report = visibleIn({ ...given, findings: given.findings.map((each) => ({ ...each, exchanges: [] })) })
  const findings: readonly Finding[] = report.findings
  const of = (status: Status) =>
    findings.filter((finding) => finding.status === status && finding.known === undefined)
  const lines: string[] = []
  const section = (title: string, body: string[]) => {
    if (body.length > 0) lines.push('', paint.bold(title), ...body)
  }
  const detail = (list: Finding[]) =>
    quiet ? list.map((each) => `  ${mark(each, paint)} ${each.requirement}`) : grouped(list, paint)
  section('failed', detail(of('fail')))
  section('warned', detail(of('warn')))
  const broken = [...of('fail'), ...of('warn')]
  if (!quiet && broken.some(({ curl }) => curl.length > 1)) lines.push('', `  ${paint.dim(howToReplay)}`)
  const { lost, ours } = byOrigin(report.errors)
  section(
    'the target stopped responding',
    lost.flatMap(({ place, message, curl = [], again }) => [
      `  ${place}`,
      ...indented(message, 4),
      ...(quiet ? [] : curlText(curl, paint)),
      ...(quiet || again === undefined ? [] : [`    replay    ${again}`]),
    ]),
  )
  section(
    'errors in the suite (not in the server)',
    ours.flatMap(({ place, message }) => [`  ${place}`, ...indented(message, 4)]),
  )
  section(
    'also violated, but not selected (not counted)',
    (report.beside ?? []).flatMap(({ requirement, message, curl }) => [
      `  ${requirement}  ${oneLine(message)}`,
      ...(quiet ? [] : curlText(curl, paint)),
    ]),
  )
  if (!quiet) {
    section(
      'blocked',
      of('blocked').flatMap((each) => [
        `  ${mark(each, paint)} ${each.requirement}  ${oneLine(each.message)}`,
      ]),
    )
    section('untestable', untestableLines(of('untestable')))
    section(
      'run again',
      findings.flatMap(({ requirement, status, retried }) =>
        retried === undefined ? [] : [`  ${sign[status]} ${requirement}  ${oneLine(retried)}`],
      ),
    )
    section(
      'properties cut short',
      findings.flatMap(({ requirement, status, examples }) =>
        examples === undefined ? [] : [`  ${sign[status]} ${requirement}  ${examplesText(examples)}`],
      ),
    )
    section(
      'known failures',
      findings.flatMap(({ requirement, status, known }) =>
        known === undefined ? [] : [`  ${sign[status]} ${requirement}  ${oneLine(known.reason)}`],
      ),
    )
    section(
      'worth a look: relevant to security, but the document does not say (not counted)',
      worthALook(findings).flatMap(({ requirement, message, statement, security, replay }) => [
        `  ${sign.observed} ${requirement}  ${oneLine(message)}`,
        `    ${paint.dim(`the profile: ${statement}`)}`,
        `    why       ${security}`,
        ...(replay === undefined ? [] : [`    replay    ${replay.command}`]),
      ]),
    )
    if (report.target.profile === undefined)
      section(
        'what this server does where the document does not say',
        gapLines(answersOf(findings, loadGaps().values()), verbose ? 100 : 0),
      )
  }
  // What a run did to someone's data is never hidden.
  const { leftovers, foreign = [] } = report
  section('left behind on the target', recordLines(leftovers))
  if (leftovers.length > 0)
    lines.push(
      '  when the server responds again, run `conformance doctor` with the same target to delete them',
    )
  section('left alone, because they are not proven to be this run’s', recordLines(foreign))
  if (verbose) {
    section(
      'observed',
      of('observed').map((each) => `  ${mark(each, paint)} ${each.requirement}  ${oneLine(each.message)}`),
    )
    section(
      'not applicable',
      of('not-applicable').map((each) => `  ${mark(each, paint)} ${each.requirement}  ${each.message}`),
    )
    section(
      'passed',
      of('pass').map(
        (each) =>
          `  ${mark(each, paint)} ${each.requirement}  ${paint.dim(`${each.requests} requests, ${each.ms} ms`)}`,
      ),
    )
  }
  if (!quiet && of('fail').length > mostOnAScreen) section(`failed: ${of('fail').length}`, recap(of('fail')))
  const color = report.verdict.exitCode === 0 ? paint.green : paint.red
  lines.push('', ...report.verdict.lines.map((line) => color(line)))
  lines.push(...aftermath(report))
  const { sent } = report
  if (sent !== undefined && sent.writes === 0)
    lines.push(
      paint.dim(
        `nothing was written: ${sent.reads} GET requests, ${sent.signIns} sign-ins, no other requests`,
      ),
    )
  lines.push(
    paint.dim(
      `${report.requests} requests in ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed}`,
    ),
  )
  return lines.map(oneRow)
}

/** Only the ids, by area: what stands above has scrolled away. */
function recap(list: readonly Finding[]): string[] {
  return [...areasOf(list)].map(([area, found]) => {
    const names = found.map(({ requirement }) => requirement.slice(area.length + 1))
    const shown = names.slice(0, mostOfAnArea).join(', ')
    return `  ${area}: ${shown}${names.length > mostOfAnArea ? ` and ${names.length - mostOfAnArea} more` : ''}`
  })
}

function grouped(list: Finding[], paint: Paint): string[] {
  const lines: string[] = []
  for (const findings of areasOf(list).values())
    for (const finding of findings) lines.push(...findingLines(finding, paint), '')
  return lines.slice(0, -1)
}

/** One finding: name and place, the claim, the fact, what was expected and what came, how to see it again. */
export function findingLines(finding: Finding, paint: Paint): string[] {
  const { requirement, level, basis, statement, message, expected, received, curl, replay, retried } = finding
  const lines = [
    `  ${mark(finding, paint)} ${paint.bold(requirement)}  ${paint.dim(`${level}, ${basis}, ${placeOf(finding)}`)}`,
  ]
  lines.push(`    ${paint.dim(statement)}`, ...indented(message, 4))
  const note = noteOf(finding)
  if (note !== undefined) lines.push(`    note      ${note}`)
  if (retried !== undefined) lines.push(`    retried   ${oneLine(retried, 400)}`)
  if (expected) lines.push(`    expected  ${oneLine(expected, 400)}`)
  if (received) lines.push(`    received  ${oneLine(received, 400)}`)
  // A counterexample has been shrunk to what it takes; of another check the end tells most.
  const shown = replay?.path ? curl : curl.slice(-mostRequests)
  const earlier = curl.length - shown.length
  if (earlier > 0)
    lines.push(
      `    ${paint.dim(`${earlier} earlier ${earlier === 1 ? 'request' : 'requests'}: see --report json=FILE`)}`,
    )
  lines.push(...curlText(shown, paint))
  if (replay !== undefined) lines.push(`    replay    ${replay.command}`)
  return lines
}

/** Not cut in the middle: it is there to be copied. */
function curlText(curl: readonly string[], paint: Paint): string[] {
  return curl.map((line) => {
    const shown =
      line.length > longestCurl ? `${line.slice(0, longestCurl)}… (complete with --report json=FILE)` : line
    return `    ${paint.dim('$')} ${shown}`
  })
}

/** Untestable findings by the line that unlocks them. */
function untestableLines(list: Finding[]): string[] {
  const byHint = new Map<string, Finding[]>()
  for (const finding of list) {
    const key = finding.hint ?? finding.message
    byHint.set(key, [...(byHint.get(key) ?? []), finding])
  }
  return [...byHint].flatMap(([hint, findings]) => {
    const names = findings.map(({ requirement }) => requirement)
    const shown =
      names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ')
    return [`  ${names.length} ${names.length === 1 ? 'check' : 'checks'}: ${hint}`, `    ${shown}`]
  })
}

function mark({ status }: Finding, paint: Paint): string {
  const color = status === 'pass' ? paint.green : status === 'fail' ? paint.red : paint.yellow
  return color(sign[status])
}

/** What begins a line in the report is ours: no name or note of a server makes one that looks like a verdict. */
function oneRow(line: string): string {
  return line.replaceAll('\n', ' ')
}

function oneLine(text: string, longest = 240): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > longest ? `${flat.slice(0, longest)}…` : flat
}

function indented(text: string, by: number): string[] {
  return text.split('\n').map((line) => ' '.repeat(by) + line)
}

/** The first of the records, and how many more there are. */
function recordLines(records: readonly Leftover[]): string[] {
  const more = records.length - mostLeftovers
  return [
    ...records
      .slice(0, mostLeftovers)
      .map(({ table, id, reason }) => `  ${oneLine(`${table}/${id}`)}  ${oneLine(reason)}`),
    ...(more > 0 ? [`  and ${more} more: see --report json=FILE`] : []),
  ]
}
