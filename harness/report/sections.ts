/**
 * The sections of a report: their titles, their order, and what belongs to them. Pure.
 *
 * @module
 */

import { loadGaps } from '../../spec/gaps.ts'
import { type ObservedChoice, observedChoices, worthALook } from '../judging/observed.ts'
import type { Finding, RunError, RunReport, Status } from '../vocabulary/findings.ts'
import {
  areasOf,
  besideEntry,
  errorEntry,
  examplesText,
  type Fact,
  findingRow,
  isCounted,
  namesText,
  plainEntry,
  type ReportEntry,
  reportEntry,
} from './entry.ts'
import type { ReportLimits } from './limits.ts'

export interface Section {
  title: string
  /**
   * `findings`: some of those that the areas of the outline hold, for formats that do not print the areas · `errors` of
   * the run · `remarks`: what it saw or left in addition · `advice` to the reader.
   */
  about: 'findings' | 'errors' | 'remarks' | 'advice'
  /**
   * `always` · `usually`: not where the reader asked for less · `verbose`: only where they asked for more ·
   * `afterwards`: not on a terminal, which has shown it before the run.
   */
  shown: 'always' | 'usually' | 'verbose' | 'afterwards'
  /** What a reader must know, before the numbers of the whole. */
  urgent: boolean
  /** Each entry with all that it shows, or in one row. */
  form: 'whole' | 'rows'
  /** Headings of the entries' names, statements and messages, where they are shown as a table. */
  columns?: readonly [string, string, string]
  entries: readonly ReportEntry[]
  /** Entries that are left out. */
  more: number
  /** What the reader can do about them. */
  next?: string
}

type Draft = Pick<Section, 'title' | 'entries'> &
  Partial<Omit<Section, 'more'>> & {
    /** It may have hundreds of entries. */
    long?: boolean
  }

/** Without it, a reader copies the last of several lines, gets a 404, and takes that for the failure. */
const howToReplay =
  'the run deleted what it created: run the lines in order, replacing each id with the one your server returned, and "$NAME" with the secret'

/** @param entries of all findings */
export function sectionsOf(
  report: RunReport,
  entries: readonly ReportEntry[],
  limits: ReportLimits,
): Section[] {
  const { findings, errors, leftovers, foreign = [], beside = [], smoke, target } = report
  const { failed, warned } = wholeFindings(entries)
  const folded = new Set([...failed, ...warned].flatMap(({ follows }) => follows))
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
      title: 'Also violated, but not selected (not counted)',
      urgent: true,
      about: 'remarks',
      shown: 'always',
      entries: beside.map((each) => besideEntry(each, limits)),
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
      title: 'Blocked',
      // What follows from a failure is shown under it.
      entries: rowsWith('blocked', ({ message }) => message).filter(({ name }) => !folded.has(name)),
    },
    { title: 'Untestable', entries: byReason('untestable', findings, limits) },
    {
      title: 'One more line would enable',
      about: 'advice',
      shown: 'afterwards',
      long: true,
      entries: smoke.unlocks.map(({ line, checks }) => plainEntry(line, `${checks} checks`)),
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
      columns: ['topic', 'question', 'observed'],
      entries:
        target.profile === undefined
          ? observedChoices(findings, loadGaps().values()).map((answer) => topicEntry(answer, limits))
          : [],
    },
    // What a run did to someone's data is never hidden.
    {
      title: 'Left behind on the target',
      about: 'remarks',
      shown: 'always',
      long: true,
      entries: leftovers.map((record) => reportEntry(record, limits)),
      next: 'when the server responds again, run `conformance doctor` with the same target to delete them, with --forget to stop listing them',
    },
    {
      title: 'Left alone, because they are not proven to be this run’s',
      about: 'remarks',
      shown: 'always',
      long: true,
      entries: foreign.map((record) => reportEntry(record, limits)),
    },
    { title: 'Observed', shown: 'verbose', entries: rowsWith('observed', ({ message }) => message) },
    {
      title: 'Not applicable',
      about: 'advice',
      shown: 'verbose',
      entries: byReason('not-applicable', findings, limits),
    },
    {
      title: 'Passed',
      shown: 'verbose',
      entries: rowsWith('pass', ({ requests, ms }) => `${requests} requests, ${ms} ms`),
    },
    // What stands above has scrolled away.
    {
      title: `Failed: ${failed.length}`,
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
    long = false,
    entries,
    ...draft
  }: Draft,
  limits: ReportLimits,
): Section {
  const fitting = entries.slice(0, long ? limits.rows : limits.entries)
  return { about, shown, urgent, form, ...draft, entries: fitting, more: entries.length - fitting.length }
}

/** Those that failed and those that are warnings, each by area. */
function wholeFindings(entries: readonly ReportEntry[]): { failed: ReportEntry[]; warned: ReportEntry[] } {
  const byArea = (status: Status) =>
    [...areasOf(entries.filter(({ finding }) => isCounted(finding, status))).values()].flat()
  return { failed: byArea('fail'), warned: byArea('warn') }
}

function replayOf(entries: readonly ReportEntry[]): string | undefined {
  return entries.some(({ finding }) => (finding?.curl.length ?? 0) > 1) ? howToReplay : undefined
}

function issueOf({ issue }: NonNullable<Finding['known']>): Fact[] {
  return issue === undefined ? [] : [{ label: 'issue', text: issue }]
}

/** A target that stopped responding is perhaps the server's doing; other errors are not. */
function isLost({ lost }: RunError): boolean {
  return lost === true
}

/** One row for each reason, or for each line of configuration that would enable them. */
function byReason(status: Status, findings: readonly Finding[], { names }: ReportLimits): ReportEntry[] {
  const byHint = new Map<string, string[]>()
  for (const finding of findings) {
    if (!isCounted(finding, status)) continue
    const hint = finding.hint ?? finding.message
    byHint.set(hint, [...(byHint.get(hint) ?? []), finding.requirement])
  }
  return [...byHint].map(([hint, ids]) => ({
    ...plainEntry('', `${ids.length} ${ids.length === 1 ? 'check' : 'checks'}: ${hint}`),
    facts: [{ label: '', text: namesText(ids, names) }],
  }))
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
        ? `as in the standard profile, ${all}`
        : `${same.length === 0 ? 'different' : 'partly different'}, ${all} as in the standard profile`
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
