/**
 * The report as Markdown: for the summary of a CI job, or a comment on a change. The length is bounded, since a comment on
 * GitHub takes no more than 65,536 characters.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/report.ts'
import { entryText, factOf, type ReportEntry, shortened } from './entry.ts'
import { summaryLimits } from './limits.ts'
import { type Outline, outline } from './outline.ts'
import type { Section } from './sections.ts'

const longestText = 6_000
/** Maximum length of all entries, with room for headings and notes. */
const mostCharacters = 58_000
/** What is kept for the sections after the verdict, and of that for findings in full. */
const [keptForSections, keptForFindings] = [48_000, 30_000]
/** Maximum run of backticks. The fence is longer. */
const longestRun = 16

const signs: Record<RunReport['verdict']['outcome'], string> = {
  conformant: '✅',
  'non-conformant': '❌',
  incomplete: '⚠️',
  error: '⚠️',
}

export function markdownReport(given: RunReport): string {
  const {
    report,
    target,
    outcome: said,
    suite,
    cost,
    selected,
    notes,
    counts,
    first,
    sections,
  } = outline(given, summaryLimits)
  const { outcome, lines } = report.verdict
  const shown = sections.filter(({ shown: where }) => where !== 'verbose' && where !== 'terminal')
  const fitting = createFitting()
  const cut = lines.slice(0, summaryLimits.entries)
  const verdict = fitting(
    cut.map((line) => `- ${inline(line)}`),
    lines.length - cut.length,
    keptForSections,
  )
  const text = [
    `## ${signs[outcome]} ${inline(report.suite.name)}: ${said}${selected}`,
    '',
    ...(first === undefined ? [] : [`**${inline(first.text)}**`, '']),
    ...verdict,
    '',
    ...table(counts),
    `${inline(target)}, ${cost}, ${inline(suite)}`,
    ...notes.flatMap((note) => ['', inline(note)]),
    ...sectionsMarkdown(shown, fitting),
  ]
  return `${text.join('\n')}\n`
}

type Fitting = ReturnType<typeof createFitting>

/** Sections under their headings, as far as they fit. */
export function sectionsMarkdown(sections: readonly Section[], fitting: Fitting = createFitting()): string[] {
  // Sections with a line for each row come before those that take more.
  const keptFor = sections.some(isLong) ? keptForFindings : 0
  const printed = new Map<Section, string[]>()
  for (const length of [false, true])
    for (const section of sections)
      if (isLong(section) === length)
        printed.set(
          section,
          fitting(section.entries.map(printerOf(section)), section.more, length ? 0 : keptFor),
        )
  return sections.flatMap((section) => [
    ...['', `### ${inline(section.title)}`, '', ...(printed.get(section) ?? [])],
    ...(section.next === undefined ? [] : ['', `Next: ${section.next}`]),
  ])
}

/** Whether a section shows findings in full: these take the remaining space. */
function isLong({ form, about }: Section): boolean {
  return form === 'whole' && about === 'findings'
}

function printerOf({ form }: Section): (entry: ReportEntry) => string {
  return form === 'whole' ? folded : row
}

/** The rows that still fit, with `kept` characters left for later ones, then the number of the others. */
function createFitting(): (rows: readonly string[], others: number, kept: number) => string[] {
  let left = mostCharacters
  return (rows, others, kept) => {
    const shown: string[] = []
    for (const row of rows) {
      const { length } = row
      if (length + 1 > left - kept) break
      left -= length + 1
      shown.push(row)
    }
    const more = rows.length - shown.length + others
    return more === 0 ? shown : [...shown, `- and ${more} more`]
  }
}

/** How often each status occurs. */
function table(counts: Outline['counts']): string[] {
  if (counts.length === 0) return []
  return [
    `| ${counts.map(({ status }) => status).join(' | ')} |`,
    `| ${counts.map(() => '---:').join(' | ')} |`,
    `| ${counts.map(({ count }) => count).join(' | ')} |`,
    '',
  ]
}

function row({ name, status, message, facts }: ReportEntry): string {
  const head = [name === '' ? '' : code(name), status ?? ''].filter((part) => part !== '').join(' ')
  const reported = facts.map(({ label, text }) => `; ${label === '' ? '' : `${label}: `}${inline(text)}`)
  return `- ${head === '' ? '' : `${head}: `}${inline(message)}${reported.join('')}`
}

/** A line that opens to the whole entry. */
function folded(entry: ReportEntry): string {
  const { name, place, about } = entry
  const code = `<code>${html(line(name))}</code>`
  const linked = about === undefined ? code : `<a href="${html(about)}">${code}</a>`
  const summary = `${linked}${place === undefined ? '' : ` ${html(place)}`}: ${html(line(factOf(entry)))}`
  const text = entryText(entry)
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text
  return ['<details>', `<summary>${summary}</summary>`, '', fenced(shown), '', '</details>', ''].join('\n')
}

/** A fence longer than any run of backticks inside; runs are cut, as the fence would grow with them. */
function fenced(text: string): string {
  const inside = text.replace(/`+/g, (run) =>
    run.length > longestRun ? `${run.slice(0, longestRun)}…` : run,
  )
  const longest = Math.max(2, ...[...inside.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${inside}\n${fence}`
}

export function code(text: string): string {
  return `\`${line(text).replaceAll('`', 'ˋ')}\``
}

/** Text from a server or a file, escaped for Markdown and HTML. */
export function inline(text: string): string {
  return html(line(text)).replace(/[\\`*_[\]|~#]/g, '\\$&')
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function line(text: string): string {
  return shortened(text, summaryLimits.message)
}
