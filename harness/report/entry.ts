/**
 * One entry of a report: a finding, an error of the run, a record, or a topic that the document leaves open, with all
 * its facts in their order. Every format prints these.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { operationPaths } from '../../spec/generated/operations.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { Examples, Finding, Replay, Status } from '../vocabulary/finding.ts'
import type { Leftover, OtherViolation, RunError } from '../vocabulary/report.ts'
import { atMost, type ReportLimits } from './limits.ts'
import { requirementPage } from './requirement-page.ts'

export interface Fact {
  label: string
  text: string
  /** A value that is shown as it is: what was expected, what was received. */
  verbatim?: boolean
}

export interface ReportEntry {
  /** Id of a requirement, place of an error, or table and id of a record. Empty for a row about several. */
  name: string
  /** Of a finding. */
  status?: Status
  /** Where the requirement comes from: `MUST, stated, section 2.4`. */
  place?: string
  /** What the requirement says, or the question that the document leaves open. */
  statement?: string
  /** What happened. Empty for a pass. */
  message: string
  /** The difference in one line: `expected 2, received 1`. Empty if nothing was compared. */
  difference: string
  /** The deciding request: `GET /api/v1/collections/notes/records?page=2`. */
  request?: string
  /** Address of the page that states the requirement. */
  about?: string
  /** In the order in which they are shown. */
  facts: readonly Fact[]
  /** Facts that are left out. */
  moreFacts: number
  /** Ids of the findings that could not be judged because of this one: they are shown under it. */
  follows: readonly string[]
  /** Another failure has the same cause, and is to be fixed instead. @default false */
  hasSameCause?: boolean
  /** Ids of the failures with the same cause as this one. */
  explains: readonly string[]
  /** Requests before the ones in `curl` that are not shown. */
  earlier: number
  /** The requests, the deciding one last, as curl lines. */
  curl: readonly string[]
  /** The command line that reproduces it. */
  replay?: string
  /** Of an error. */
  stack?: string
  /** What `curl` is about, with headers and bodies. */
  exchanges: readonly Exchange[]
  /** The finding itself. */
  finding?: Finding
}

/**
 * A finding with all that it shows.
 *
 * @param cause what is said about the finding that has the same cause
 */
export function findingEntry(finding: Finding, limits: ReportLimits, cause?: string): ReportEntry {
  const { requirement, level, basis, status, statement, message, curl, replay, exchanges } = finding
  const shown = replay?.path ? curl : lastLines(curl, limits.requests)
  return {
    ...plainEntry(requirement, message),
    status,
    place: `${level}, ${basis}, ${sourceOf(finding)}`,
    statement,
    difference: differenceOf(finding),
    request: requestOf(exchanges.at(-1)),
    about: requirementPage({ id: requirement, basis }),
    facts: factsOf(finding, cause).map((fact) => ({ ...fact, text: shortened(fact.text, limits.value) })),
    earlier: curl.length - shown.length,
    curl: shown,
    replay: replay?.command,
    ...(cause !== undefined && { hasSameCause: true }),
    exchanges: limits.exchanges ? exchanges : [],
    finding,
  }
}

/**
 * The last lines, with those before them that set a variable which a shown line needs. A line that needs `RESPONSE` sets
 * it too.
 */
function lastLines(curl: readonly string[], most: number): readonly string[] {
  let first = Math.max(0, curl.length - most)
  for (let at = first - 1; at >= 0; at--) {
    const set = [...(curl[at] ?? '').matchAll(/(?:^|; )(?!RESPONSE=)(\w+)=\$\(/g)].map(
      ([, name]) => `"$${name}"`,
    )
    if (curl.slice(first).some((line) => set.some((name) => line.includes(name)))) first = at
  }
  return curl.slice(first)
}

/** Characters of a value in a difference. */
const longestValue = 72

/** `expected 2, received 1`: the beginning of both, in one line. */
export function differenceOf({
  expected = '',
  received = '',
}: Pick<Finding, 'expected' | 'received'>): string {
  return [
    ['expected', expected],
    ['received', received],
  ]
    .filter(([, value]) => value !== '')
    .map(([word, value]) => `${word} ${shortened(value ?? '', longestValue)}`)
    .join(', ')
}

/** The message with the difference, in one line. */
export function factOf({ message, difference }: Pick<ReportEntry, 'message' | 'difference'>): string {
  const flat = message.replace(/\s+/g, ' ').trim()
  return difference === '' ? flat : `${flat}: ${difference}`
}

/** Method, path and query, without the part that all requests have in common. */
function requestOf(exchange: Exchange | undefined): string | undefined {
  if (exchange === undefined) return undefined
  const { method, url } = exchange.request
  return `${method} ${url.replace(/^\w+:\/\/[^/]*/, '')}`
}

/**
 * How a property found the failure. fast-check reduces the values of an example, not the set-up before it. The example
 * itself is only in the JSON report, because the requests show the same.
 */
function foundText({ runs, path = '' }: Partial<Replay> = {}): string | undefined {
  if (runs === undefined) return undefined
  const found = `example ${runs}`
  // A path with steps leads from the example that was found to a smaller one.
  return path.includes(':') ? `${found}, reduced to the smallest example found that still fails` : found
}

function factsOf(finding: Finding, cause: string | undefined): Fact[] {
  const { retried, examples, known, expected, received, hint, replay } = finding
  const issue = known?.issue === undefined ? '' : ` (${known.issue})`
  return [
    // What differs comes first: the first screen may end after it.
    { label: 'expected', text: expected, verbatim: true },
    { label: 'received', text: received, verbatim: true },
    { label: 'same as', text: cause },
    { label: 'note', text: noteOf(finding) },
    { label: 'retried', text: retried },
    { label: 'examples', text: examples && examplesText(examples) },
    { label: 'found by', text: foundText(replay) },
    { label: 'known', text: known && `${known.reason}${issue}` },
    { label: 'next', text: hint },
  ].flatMap(({ text, ...fact }) => (text ? [{ ...fact, text }] : []))
}

/** Where the document does not say, a different name or spelling may be the cause of a failure. */
function noteOf({ requirement, status, exchanges }: Finding): string | undefined {
  if (status !== 'fail' && status !== 'warn') return undefined
  const method = exchanges.at(-1)?.request.method
  const parts = [
    ...(method === undefined || methods.has(method) ? [] : [`${method} is not in the document`]),
    loadRequirements().get(requirement)?.note ?? '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join('. ')
}

/** Of the operations in the document. */
const methods: ReadonlySet<string> = new Set(operationPaths.map(({ method }) => method))

/** `section 2.4` or `unspecified: list.paging`. */
function sourceOf({ basis, source }: Finding): string {
  return basis === 'profile' ? `unspecified: ${source}` : `section ${source}`
}

/** Text for a property that hit its time limit. */
export function examplesText({ run, of }: Examples): string {
  return `${run} of ${of} ran within the time limit`
}

/** A finding in one row, with a message for its section. */
export function findingRow(
  finding: Finding,
  message: string,
  limits: ReportLimits,
  facts: Fact[] = [],
): ReportEntry {
  const { requirement, status } = finding
  return { ...plainEntry(requirement, shortened(message, limits.message)), status, facts, finding }
}

/** A violation of a requirement that was not selected. */
export function otherViolationEntry(
  { requirement, message, curl }: OtherViolation,
  limits: ReportLimits,
): ReportEntry {
  return { ...plainEntry(requirement, shortened(message, limits.message)), curl }
}

/** An error of the run, or a target that was lost. */
export function errorEntry({ place, message, stack, curl = [], again }: RunError): ReportEntry {
  return { ...plainEntry(place, message), curl, replay: again, stack }
}

export function reportEntry({ table, id, reason }: Leftover, limits: ReportLimits): ReportEntry {
  return plainEntry(shortened(`${table}/${id}`, limits.message), shortened(reason, limits.message))
}

export function plainEntry(name: string, message: string): ReportEntry {
  return {
    name,
    message,
    difference: '',
    facts: [],
    moreFacts: 0,
    follows: [],
    explains: [],
    earlier: 0,
    curl: [],
    exchanges: [],
  }
}

/** Lines that follow each other and are the same, counted. */
export function countedLines(lines: readonly string[]): { line: string; times: number }[] {
  const groups: { line: string; times: number }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.line === line) last.times += 1
    else groups.push({ line, times: 1 })
  }
  return groups
}

/** After a repeated line; a shell takes it for a comment. */
export function timesText(times: number): string {
  return times === 1 ? '' : `  # ${times} times`
}

/** A whole entry as plain text, for formats with a single field for it. */
export function entryText(entry: ReportEntry): string {
  const { place, statement, message, facts, follows, curl, replay, about, stack } = entry
  return [
    stack ?? message,
    ...(place === undefined ? [] : ['', `${place}: ${statement}`]),
    ...facts.map(({ label, text }) => `${label.padEnd(8)}  ${text}`),
    ...(follows.length === 0 ? [] : [`blocks    ${followsText(follows)}`]),
    ...countedLines(curl).map(({ line, times }) => `$ ${line}${timesText(times)}`),
    ...(replay === undefined ? [] : [`replay    ${replay}`]),
    ...(about === undefined ? [] : [`about     ${about}`]),
  ].join('\n')
}

/** `2 requirements that build on it: a.b, c.d`. */
export function followsText(follows: readonly string[], names = Number.POSITIVE_INFINITY): string {
  const [what, build] = follows.length === 1 ? ['requirement', 'builds'] : ['requirements', 'build']
  return `${follows.length} ${what} that ${build} on it: ${namesText(follows, names)}`
}

/** The first names, and the number of the others. */
export function namesText(names: readonly string[], most: number): string {
  const { shown, more } = atMost(names, most)
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

/** In one line, cut at the limit. Without a limit: unchanged. */
export function shortened(text: string, longest: number): string {
  if (longest === Number.POSITIVE_INFINITY) return text
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > longest ? `${flat.slice(0, longest)}…` : flat
}

/** Whether a finding has the status and the baseline does not list it. */
export function isCounted(finding: Finding | undefined, status: Status): boolean {
  return finding !== undefined && finding.status === status && finding.known === undefined
}

/** By area, in the order of the first entry of each; `list` holds `list.shape`, `list.page`, ... */
export function areasOf(entries: readonly ReportEntry[]): Map<string, ReportEntry[]> {
  const areas = new Map<string, ReportEntry[]>()
  for (const entry of entries) {
    const area = entry.name.split('.')[0] ?? ''
    const known = areas.get(area)
    if (known === undefined) areas.set(area, [entry])
    else known.push(entry)
  }
  return areas
}
