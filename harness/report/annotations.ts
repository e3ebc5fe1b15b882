/**
 * The failures as annotations of a GitHub job: lines that its runner reads from the output. A function of data.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/report.ts'
import { followsText, type ReportEntry } from './entry.ts'
import { screenLimits } from './limits.ts'
import { outline } from './outline.ts'
import { failureTitles } from './sections.ts'

/** GitHub shows no more of each kind per step. */
const mostOfEach = 10
/** Maximum characters of one annotation, escaped: the runner accepts 4096 in total. */
const longest = { title: 500, text: 3_000 }

/**
 * One `::error` for each failure and each error of the run, and one `::warning` for each warning: at most ten of each.
 * The last one says how many there are in addition.
 */
export function annotationLines(given: RunReport): string[] {
  const { sections, reasons } = outline(given, { ...screenLimits, entries: Number.POSITIVE_INFINITY })
  const errors = sections.filter(({ about, title }) => about === 'errors' || failureTitles.includes(title))
  const entriesOf = (all: typeof sections) => all.flatMap(({ entries }) => entries)
  const verdict = reasons
    .filter(({ type }) => type === 'verdict' || type === 'baseline')
    .map(({ name, message }) => ({ title: name, text: message }))
  return [
    ...annotations('error', [...entriesOf(errors).map(annotationOf), ...verdict]),
    ...annotations(
      'warning',
      entriesOf(sections.filter(({ title }) => title === 'Warned')).map(annotationOf),
    ),
  ]
}

interface Annotation {
  title: string
  text: string
}

function annotationOf(entry: ReportEntry): Annotation {
  const { name, place, statement, message, facts, follows, replay, about } = entry
  const text = [
    message,
    ...(statement === undefined ? [] : [statement]),
    ...facts.filter(({ verbatim }) => verbatim).map((fact) => `${fact.label}: ${fact.text}`),
    ...(follows.length === 0 ? [] : [`blocks: ${followsText(follows, screenLimits.names)}`]),
    ...(replay === undefined ? [] : [`replay: ${replay}`]),
    ...(about === undefined ? [] : [`about: ${about}`]),
  ].join('\n')
  const title = name === '' ? message : name
  return { title: place === undefined ? title : `${title} (${place})`, text }
}

function annotations(kind: 'error' | 'warning', all: readonly Annotation[]): string[] {
  const shown = all.length > mostOfEach ? all.slice(0, mostOfEach - 1) : all
  const more = all.length - shown.length
  const rest = { title: `${more} more`, text: `${more} more: see the report or the summary of the job` }
  return [...shown, ...(more === 0 ? [] : [rest])].map(
    ({ title, text }) =>
      `::${kind} title=${cut(property(`conformance: ${title}`), longest.title)}::${cut(data(text), longest.text)}`,
  )
}

/** The beginning of an escaped text, without half an escape at its end. */
function cut(escaped: string, most: number): string {
  return escaped.length <= most ? escaped : escaped.slice(0, most).replace(/%[\dA-F]?$/, '')
}

/** Escapes what a server sent: on a separate line, it could be a command to the runner. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
