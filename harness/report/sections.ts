/**
 * The sections of a report: their titles, their order, and what belongs to them. Pure.
 *
 * @module
 */

import { fromEmail } from '../../exchange/curl.ts'
import { countOf } from '../../spec/count-of.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunError, RunReport } from '../vocabulary/report.ts'
import { absentOperationRows, absentOperationsStep } from './absent-operations.ts'
import {
  areasOf,
  errorEntry,
  examplesText,
  type Fact,
  factOf,
  findingRow,
  isCounted,
  namesText,
  otherViolationEntry,
  plainEntry,
  type ReportEntry,
  reportEntry,
  shortened,
} from './entry.ts'
import { atMost, type ReportLimits } from './limits.ts'
import { rowsByReason, untestableRows } from './rows-by-reason.ts'
import { unspecifiedDifferences, unspecifiedSecurity, unspecifiedTopics } from './unspecified.ts'
import { type WholeFindings, wholeFindings } from './whole-findings.ts'

export interface Section {
  title: string
  /**
   * `findings`: some of those that the areas of the outline hold, for formats that do not print the areas · `errors` of
   * the run · `remarks`: what it saw or left in addition · `advice` to the reader.
   */
  about: 'findings' | 'errors' | 'remarks' | 'advice'
  /**
   * `always` · `usually`: not where the reader chose less output · `verbose`: only where they chose more ·
   * `files`: not on a terminal, which shows it before the run or in fewer lines · `terminal`: only there.
   */
  shown: 'always' | 'usually' | 'verbose' | 'files' | 'terminal'
  /** What a reader must know, before the numbers of the whole. */
  urgent: boolean
  /** Each entry with all that it shows, or in one row. */
  form: 'whole' | 'rows'
  /** Headings of the entries' names, statements and messages, where they are shown as a table. */
  columns?: readonly [string, string, string]
  entries: readonly ReportEntry[]
  /** Number of findings, if a row is about several. */
  count?: number
  /** Entries that are left out. */
  more: number
  /** What the reader can do about them. */
  next?: string
}

/** What the entries of a section are taken from. */
interface SectionSource extends WholeFindings {
  report: RunReport
  limits: ReportLimits
}

type Definition = Partial<Pick<Section, 'about' | 'shown' | 'urgent' | 'columns'>> & {
  form?: Section['form'] | ((source: SectionSource) => Section['form'])
  title: string | ((source: SectionSource) => string)
  entries(source: SectionSource): readonly ReportEntry[]
  count?(source: SectionSource): number
  next?(source: SectionSource): string | undefined
  /** Which limit applies to the entries. */
  most?: 'entries' | 'rows' | 'reasons'
}

const absentTitle = 'Operations that do not exist'
const differingTitle = 'Different from the claimed profile'

/** Titles of the sections that hold failures. */
export const failureTitles: readonly string[] = ['Failed', differingTitle, absentTitle]

const blockedTitle = 'Blocked'

/** Whether a section is about what is blocked. */
export function isBlockedSection({ title }: Section): boolean {
  return title.startsWith(blockedTitle)
}

/** In the order of the report. */
const definitions: readonly Definition[] = [
  {
    title: 'Failed',
    urgent: true,
    shown: 'always',
    form: 'whole',
    entries: ({ failed }) => failed,
    next: ({ failed, report }) => replayOf(failed, report),
  },
  {
    title: differingTitle,
    urgent: true,
    shown: 'always',
    form: (source) => (isCompact(source) ? 'rows' : 'whole'),
    entries: (source) => (isCompact(source) ? source.differing.map(compact(source)) : source.differing),
    next: (source) =>
      isCompact(source)
        ? 'use --verbose to show their requests'
        : replayOf(source.failed, source.report) === undefined
          ? replayOf(source.differing, source.report)
          : undefined,
  },
  {
    title: absentTitle,
    urgent: true,
    shown: 'always',
    entries: ({ absent, limits }) => absentOperationRows(absent, limits),
    count: ({ absent }) => absent.length,
    next: ({ absent }) => absentOperationsStep(absent),
  },
  {
    title: 'Warned',
    urgent: true,
    shown: 'always',
    form: 'whole',
    entries: ({ warned }) => warned,
    next: (source) =>
      replayOf([...source.failed, ...(isCompact(source) ? [] : source.differing)], source.report) ===
      undefined
        ? replayOf(source.warned, source.report)
        : undefined,
  },
  {
    title: 'The target stopped responding',
    urgent: true,
    about: 'errors',
    shown: 'always',
    form: 'whole',
    entries: ({ report }) => report.errors.filter(isLost).map(errorEntry),
  },
  {
    title: 'Could not be read',
    urgent: true,
    about: 'errors',
    shown: 'always',
    form: 'whole',
    entries: ({ report }) => report.errors.filter(({ unread }) => unread === true).map(errorEntry),
  },
  {
    title: 'Errors in the suite (not in the server)',
    urgent: true,
    about: 'errors',
    shown: 'always',
    form: 'whole',
    entries: ({ report }) =>
      report.errors.filter((error) => !isLost(error) && error.unread !== true).map(errorEntry),
  },
  {
    title: 'Also violated, but not among the checks that ran (not counted)',
    urgent: true,
    about: 'remarks',
    shown: 'always',
    entries: ({ report: { otherViolations = [] }, limits }) =>
      otherViolations.map((each) => otherViolationEntry(each, limits)),
  },
  {
    title: 'Worth a look: relevant to security, but the document does not say (not counted)',
    urgent: true,
    about: 'advice',
    entries: ({ report, limits }) => unspecifiedSecurity(report, limits),
  },
  {
    title: 'Different from the standard profile where the document does not say (not counted)',
    about: 'advice',
    shown: 'terminal',
    most: 'rows',
    entries: ({ report, limits }) => unspecifiedDifferences(report, limits),
    next: () => 'use --verbose to list all of them',
  },
  {
    // The verdict counts all of them.
    title: (source) => {
      const folded = foldedOf(source).size
      return folded === 0
        ? blockedTitle
        : `${blockedTitle}, in addition to ${folded} that failures above block`
    },
    most: 'rows',
    entries: (source) => {
      const folded = foldedOf(source)
      return rowsWith('blocked', source, ({ message }) => message).filter(({ name }) => !folded.has(name))
    },
  },
  {
    title: 'Untestable',
    most: 'reasons',
    entries: ({ report, limits }) => untestableRows(report, limits),
  },
  {
    title: 'One more line would enable',
    about: 'advice',
    shown: 'files',
    most: 'rows',
    entries: ({ report }) =>
      report.smoke.unlocks.map(({ line, checks }) => plainEntry(line, countOf(checks, 'check'))),
  },
  {
    title: 'Run again',
    entries: (source) => rowsWhere(source, ({ retried }) => retried),
  },
  {
    title: 'Properties cut short',
    entries: (source) => rowsWhere(source, ({ examples }) => examples && examplesText(examples)),
  },
  {
    title: 'Known failures',
    entries: (source) =>
      rowsWhere(
        source,
        ({ known }) => known?.reason,
        ({ known }) => issueOf(known),
      ),
  },
  {
    title: 'What this server does where the document does not say',
    about: 'advice',
    shown: 'files',
    columns: ['topic', 'question', 'observed'],
    entries: ({ report, limits }) => unspecifiedTopics(report, limits),
  },
  // What a run did to someone's data is never hidden.
  {
    title: 'Left behind on the target',
    about: 'remarks',
    shown: 'always',
    most: 'rows',
    entries: ({ report, limits }) => report.leftovers.map((record) => reportEntry(record, limits)),
    next: ({ report }) =>
      report.noJournal === true
        ? 'delete them yourself: without a journal, no later run knows of them'
        : `${report.errors.some(isLost) ? 'when the server responds again, ' : ''}run \`conformance doctor\` with the same target: it deletes those that it finds. With --forget, it stops listing them`,
  },
  {
    title: 'Left alone: responses named them as created, but nothing proves that a run created them',
    about: 'remarks',
    shown: 'always',
    most: 'rows',
    entries: ({ report: { foreign = [] }, limits }) => foreign.map((record) => reportEntry(record, limits)),
  },
  {
    title: 'Observed',
    shown: 'verbose',
    entries: (source) => rowsWith('observed', source, ({ message }) => message),
  },
  {
    title: 'Not applicable',
    about: 'advice',
    shown: 'verbose',
    entries: ({ report, limits }) => rowsByReason('not-applicable', report.findings, limits),
  },
  {
    title: 'Passed',
    shown: 'verbose',
    entries: (source) => rowsWith('pass', source, ({ requests, ms }) => `${requests} requests, ${ms} ms`),
  },
  // The failures above have scrolled away.
  {
    title: ({ failed, differing, absent }) =>
      [
        `Failed: ${failed.length}`,
        ...(differing.length === 0 ? [] : [`${differing.length} different from the profile`]),
        ...(absent.length === 0
          ? []
          : [
              `and ${countOf(absent.length, 'operation')} that ${absent.length === 1 ? 'does' : 'do'} not exist`,
            ]),
      ].join(', '),
    entries: ({ failed, differing, limits }) =>
      failed.length + differing.length > limits.onAScreen
        ? idsByArea(failed.length > 0 ? failed : differing, limits)
        : [],
  },
]

/** @param entries of all findings */
export function sectionsOf(
  report: RunReport,
  entries: readonly ReportEntry[],
  limits: ReportLimits,
): Section[] {
  const source = { report, limits, ...wholeFindings(entries) }
  return definitions.flatMap((definition) => {
    const all = definition.entries(source)
    return all.length === 0 ? [] : [sectionOf(definition, all, source)]
  })
}

function sectionOf(
  {
    title,
    about = 'findings',
    shown = 'usually',
    urgent = false,
    form = 'rows',
    columns,
    most = 'entries',
    ...definition
  }: Definition,
  all: readonly ReportEntry[],
  source: SectionSource,
): Section {
  const { shown: entries, more } = atMost(all, source.limits[most])
  return {
    title: typeof title === 'string' ? title : title(source),
    about,
    shown,
    urgent,
    form: typeof form === 'string' ? form : form(source),
    columns,
    entries,
    count: definition.count?.(source),
    more,
    next: definition.next?.(source),
  }
}

/** Ids of what follows from a failure: it is shown or counted under that. */
function foldedOf({ failed, differing, absent, warned }: SectionSource): ReadonlySet<string> {
  return new Set([...failed, ...differing, ...absent, ...warned].flatMap(({ follows }) => follows))
}

/** Whether so many findings differ from the profile that the failures of the document would drown among them. */
function isCompact({ differing, limits }: SectionSource): boolean {
  return differing.length > limits.wholeDifferences
}

/** The entry in one line. */
function compact({ limits }: SectionSource): (entry: ReportEntry) => ReportEntry {
  return ({ replay: _, ...entry }) => ({
    ...entry,
    message: shortened(factOf(entry), limits.message),
    facts: [],
    curl: [],
  })
}

/** Rows of the findings with a status that counts. */
function rowsWith(
  status: Status,
  { report: { findings }, limits }: SectionSource,
  message: (finding: Finding) => string,
): ReportEntry[] {
  return findings
    .filter((finding) => isCounted(finding, status))
    .map((each) => findingRow(each, message(each), limits))
}

/** Rows of the findings, whatever their status, that have such a message. */
function rowsWhere(
  { report: { findings }, limits }: SectionSource,
  message: (finding: Finding) => string | undefined,
  facts?: (finding: Finding) => Fact[],
): ReportEntry[] {
  return findings.flatMap((each) => {
    const text = message(each)
    return text === undefined ? [] : [findingRow(each, text, limits, facts?.(each))]
  })
}

/** Without it, a reader copies the last of several lines, gets a 404, and takes that for the failure. */
const howToReplay =
  'run the lines in order, in one shell; they keep the ids and tokens that later lines need. Set a "$NAME" that no line sets to the secret'
const howToReadEmails =
  'The value of "$CODE" or "$PROOF" is in the email that a line before requests: set it before you run the next line, or use the command after "replay", which reads the emails itself'

function replayOf(entries: readonly ReportEntry[], { leftovers }: RunReport): string | undefined {
  const lines = entries.map(({ finding }) => finding?.curl ?? [])
  const needEmail = lines.flat().some((line) => line.includes(fromEmail))
  const parts = [
    ...(lines.some(({ length }) => length > 1)
      ? [`${leftovers.length === 0 ? 'the run deleted what it created: ' : ''}${howToReplay}`]
      : []),
    ...(needEmail ? [howToReadEmails] : []),
  ]
  return parts.length === 0 ? undefined : parts.join('. ')
}

function issueOf(known: Finding['known']): Fact[] {
  const issue = known?.issue
  return issue === undefined ? [] : [{ label: 'issue', text: issue }]
}

/** Whether the target stopped responding, which the server may have caused; other errors are ours. */
function isLost({ lost }: RunError): boolean {
  return lost === true
}

function idsByArea(failed: readonly ReportEntry[], { names }: ReportLimits): ReportEntry[] {
  return [...areasOf(failed)].map(([area, entries]) => {
    const ids = entries.map(({ name }) => name.slice(area.length + 1))
    return plainEntry('', `${area}: ${namesText(ids, names)}`)
  })
}

/** A title where headings do not begin with a capital letter. */
export function lowerFirst(title: string): string {
  return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}
