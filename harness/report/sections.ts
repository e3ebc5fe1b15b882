/**
 * The sections of a report: their titles, their order, and what belongs to them. Pure.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { loadGaps } from '../../spec/gaps.ts'
import { heldText } from '../judging/held-text.ts'
import { type ObservedChoice, observedChoices, worthALook } from '../judging/observed.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunError, RunReport } from '../vocabulary/report.ts'
import { absentOperationRows, absentOperationsStep, isAbsentOperation } from './absent-operations.ts'
import {
  areasOf,
  differenceOf,
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
} from './entry.ts'
import { atMost, type ReportLimits } from './limits.ts'
import { rowsByReason } from './rows-by-reason.ts'
import { isDerived } from './same-cause.ts'

export interface Section {
  title: string
  /**
   * `findings`: some of those that the areas of the outline hold, for formats that do not print the areas · `errors` of
   * the run · `remarks`: what it saw or left in addition · `advice` to the reader.
   */
  about: 'findings' | 'errors' | 'remarks' | 'advice'
  /**
   * `always` · `usually`: not where the reader asked for less · `verbose`: only where they asked for more ·
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

type Draft = Pick<Section, 'title' | 'entries'> &
  Partial<Omit<Section, 'more'>> & {
    /** Which limit applies to the entries. */
    most?: 'entries' | 'rows' | 'reasons'
  }

/** Without it, a reader copies the last of several lines, gets a 404, and takes that for the failure. */
const howToReplay =
  'the run deleted what it created: run the lines in order, in one shell; each takes ids and tokens from the responses before. Set a "$NAME" that no line sets to the secret'

/** @param entries of all findings */
export function sectionsOf(
  report: RunReport,
  entries: readonly ReportEntry[],
  limits: ReportLimits,
): Section[] {
  const { findings, errors, leftovers, foreign = [], otherViolations = [], smoke, target } = report
  const { failed, warned, absent } = wholeFindings(entries)
  const folded = new Set([...failed, ...absent, ...warned].flatMap(({ follows }) => follows))
  const row = (finding: Finding, message: string, facts?: Fact[]) =>
    findingRow(finding, message, limits, facts)
  const rowsWith = (status: Status, message: (finding: Finding) => string) =>
    findings.filter((finding) => isCounted(finding, status)).map((each) => row(each, message(each)))
  const drafts: Draft[] = [
    {
      title: 'Failed',
      urgent: true,
      shown: 'always',
      form: 'whole',
      entries: failed,
      next: replayOf(failed),
    },
    {
      title: absentTitle,
      urgent: true,
      shown: 'always',
      entries: absentOperationRows(absent, limits),
      count: absent.length,
      next: absentOperationsStep(absent),
    },
    {
      title: 'Warned',
      urgent: true,
      shown: 'always',
      form: 'whole',
      entries: warned,
      next: replayOf(failed) === undefined ? replayOf(warned) : undefined,
    },
    {
      title: 'The target stopped responding',
      urgent: true,
      about: 'errors',
      shown: 'always',
      form: 'whole',
      entries: errors.filter(isLost).map(errorEntry),
    },
    {
      title: 'Could not be read',
      urgent: true,
      about: 'errors',
      shown: 'always',
      form: 'whole',
      entries: errors.filter(({ unread }) => unread === true).map(errorEntry),
    },
    {
      title: 'Errors in the suite (not in the server)',
      urgent: true,
      about: 'errors',
      shown: 'always',
      form: 'whole',
      entries: errors.filter((error) => !isLost(error) && error.unread !== true).map(errorEntry),
    },
    {
      title: 'Also violated, but not among the checks that ran (not counted)',
      urgent: true,
      about: 'remarks',
      shown: 'always',
      entries: otherViolations.map((each) => otherViolationEntry(each, limits)),
    },
    {
      title: 'Worth a look: relevant to security, but the document does not say (not counted)',
      urgent: true,
      about: 'advice',
      entries: worthALook(findings).map((each) => ({
        ...row(each, each.message, [
          { label: 'profile', text: each.statement },
          { label: 'why', text: each.security },
        ]),
        replay: each.replay?.command,
      })),
    },
    {
      title: 'Different from the standard profile where the document does not say (not counted)',
      about: 'advice',
      shown: 'terminal',
      most: 'rows',
      entries:
        target.profile === undefined
          ? telling(findings).map((each) => row(each, factOf({ ...each, difference: differenceOf(each) })))
          : [],
      next: 'use --verbose to list all of them',
    },
    {
      title: 'Blocked',
      most: 'rows',
      // What follows from a failure is shown under it.
      entries: rowsWith('blocked', ({ message }) => message).filter(({ name }) => !folded.has(name)),
    },
    { title: 'Untestable', most: 'reasons', entries: rowsByReason('untestable', findings, limits) },
    {
      title: 'One more line would enable',
      about: 'advice',
      shown: 'files',
      most: 'rows',
      entries: smoke.unlocks.map(({ line, checks }) => plainEntry(line, countOf(checks, 'check'))),
    },
    {
      title: 'Run again',
      entries: findings.flatMap((each) => (each.retried === undefined ? [] : [row(each, each.retried)])),
    },
    {
      title: 'Properties cut short',
      entries: findings.flatMap((each) =>
        each.examples === undefined ? [] : [row(each, examplesText(each.examples))],
      ),
    },
    {
      title: 'Known failures',
      entries: findings.flatMap((each) =>
        each.known === undefined ? [] : [row(each, each.known.reason, issueOf(each.known))],
      ),
    },
    {
      title: 'What this server does where the document does not say',
      about: 'advice',
      shown: 'files',
      columns: ['topic', 'question', 'observed'],
      entries:
        target.profile === undefined
          ? observedChoices(findings, loadGaps().values()).map((response) => topicEntry(response, limits))
          : [],
    },
    // What a run did to someone's data is never hidden.
    {
      title: 'Left behind on the target',
      about: 'remarks',
      shown: 'always',
      most: 'rows',
      entries: leftovers.map((record) => reportEntry(record, limits)),
      next: `${errors.some(isLost) ? 'when the server responds again, ' : ''}run \`conformance doctor\` with the same target: it deletes what it finds of them. With --forget, it stops listing them`,
    },
    {
      title: 'Left alone, because they are not proven to be this run’s',
      about: 'remarks',
      shown: 'always',
      most: 'rows',
      entries: foreign.map((record) => reportEntry(record, limits)),
    },
    { title: 'Observed', shown: 'verbose', entries: rowsWith('observed', ({ message }) => message) },
    {
      title: 'Not applicable',
      about: 'advice',
      shown: 'verbose',
      entries: rowsByReason('not-applicable', findings, limits),
    },
    {
      title: 'Passed',
      shown: 'verbose',
      entries: rowsWith('pass', ({ requests, ms }) => `${requests} requests, ${ms} ms`),
    },
    // The failures above have scrolled away.
    {
      title: `Failed: ${failed.length}${absent.length === 0 ? '' : `, and ${countOf(absent.length, 'operation')} that ${absent.length === 1 ? 'does' : 'do'} not exist`}`,
      entries: failed.length > limits.onAScreen ? idsByArea(failed, limits) : [],
    },
  ]
  return drafts.flatMap((draft) => (draft.entries.length === 0 ? [] : [fitted(draft, limits)]))
}

function fitted(
  {
    about = 'findings',
    shown = 'usually',
    urgent = false,
    form = 'rows',
    most = 'entries',
    entries,
    ...draft
  }: Draft,
  limits: ReportLimits,
): Section {
  const { shown: fitting, more } = atMost(entries, limits[most])
  return { about, shown, urgent, form, ...draft, entries: fitting, more }
}

const absentTitle = 'Operations that do not exist'

/** Titles of the sections that hold failures. */
export const failureTitles: readonly string[] = ['Failed', absentTitle]

/**
 * Those that failed, those that say of an operation that it does not exist, and warnings: what blocks or explains most
 * first, and what has the same cause as another one last. A check that is about one thing says more than one with derived requests.
 */
function wholeFindings(
  entries: readonly ReportEntry[],
): Record<'failed' | 'absent' | 'warned', ReportEntry[]> {
  const byArea = (status: Status) =>
    [...areasOf(entries.filter(({ finding }) => isCounted(finding, status))).values()]
      .flat()
      .sort(
        (one, other) =>
          Number(one.hasSameCause ?? false) - Number(other.hasSameCause ?? false) ||
          weight(other) - weight(one) ||
          Number(isDerived(one.name)) - Number(isDerived(other.name)),
      )
  const failed = byArea('fail')
  return {
    failed: failed.filter((entry) => !isAbsentOperation(entry)),
    absent: failed.filter(isAbsentOperation),
    warned: byArea('warn'),
  }
}

/** How many findings are likely to change when this one is fixed. */
const weight = ({ follows, explains }: ReportEntry) => follows.length + explains.length

/** What differs from the profile, what a server's author wants to know first: failures of the server, then statuses. */
function telling(findings: readonly Finding[]): Finding[] {
  const rank = ({ requirement, source, received = '' }: Finding) => {
    if (/^"?5\d\d\b/.test(received)) return 0
    if (/^(?:create|update|delete|view|list|batch)\.status/.test(requirement)) return 1
    return source.startsWith('records.') || source.startsWith('sort.') ? 2 : 3
  }
  return findings
    .filter(({ status, held, security }) => status === 'observed' && !held && security === undefined)
    .sort((one, other) => rank(one) - rank(other))
}

function replayOf(entries: readonly ReportEntry[]): string | undefined {
  return entries.some(({ finding }) => (finding?.curl.length ?? 0) > 1) ? howToReplay : undefined
}

function issueOf({ issue }: NonNullable<Finding['known']>): Fact[] {
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

function topicEntry(
  { gap, question, same, other, unknown }: ObservedChoice,
  { differences }: ReportLimits,
): ReportEntry {
  const asked = same.length + other.length
  const all = `${same.length} of ${asked}`
  const word =
    asked === 0
      ? 'not observed'
      : other.length === 0
        ? `${heldText(true)}, ${all}`
        : `${same.length === 0 ? 'different' : 'partly different'}, ${all} ${heldText(true)}`
  const open = unknown.length === 0 || asked === 0 ? '' : `, ${unknown.length} not observed`
  return {
    ...plainEntry(gap, `${word}${open}`),
    statement: question,
    facts: other
      .slice(0, differences)
      .map(({ requirement, observed }) => ({ label: requirement, text: observed })),
    moreFacts: Math.max(0, other.length - differences),
  }
}

/** A title where headings do not begin with a capital letter. */
export function lowerFirst(title: string): string {
  return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}
