/**
 * Updates a baseline from a report, and keeps everything else in the file: comments, order, reasons.
 *
 * @module
 */

import { type Document, isMap, isScalar, isSeq, parseDocument, visit, YAMLSeq } from 'yaml'
import { visible } from '../../exchange/visible.ts'
import { ConfigurationError } from '../errors.ts'
import { syntaxMistake } from '../support/syntax-mistake.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import { type KnownStatus, knowable, unjudged } from './baseline.ts'
import { parseBaseline } from './read-baseline.ts'

export interface UpdatedBaseline {
  text: string
  added: string[]
  removed: string[]
}

const heading = ` Known failures that are accepted for now. Each needs a reason; \`issue\` and \`expires\` are optional.`

/**
 * @param text current content of the file; empty if there is none
 * @param ids requirements that exist: an entry about another one is removed, and none is added
 * @param file path of the file, for messages
 * @param adding statuses of findings that are added. @default failures and warnings
 * @throws ConfigurationError if the file cannot be parsed: a file that a run would reject is not overwritten
 */
export function updateBaseline(
  text: string,
  findings: readonly Finding[],
  ids: readonly string[],
  file: string,
  adding: readonly KnownStatus[] = knowable,
): UpdatedBaseline {
  const fresh = text.trim() === ''
  const document: Document = parseDocument(fresh ? 'known: []\n' : text)
  const [error] = document.errors
  if (error !== undefined) throw syntaxMistake('the baseline', `--baseline ${file}`, text, error)
  rejectAliases(document, file)
  if (document.contents !== null && !isMap(document.contents)) {
    throw new ConfigurationError(
      'the baseline has no array "known"',
      `--baseline ${file}`,
      'use a file that this command wrote before, or one that does not exist yet',
    )
  }
  const unknowable = removeUnjudged(document)
  const content: unknown = document.toJS()
  parseBaseline(content, file, [...ids, ...namedIn(content)])
  if (fresh) document.commentBefore = heading
  let list = document.get('known')
  if (!isSeq(list)) {
    list = new YAMLSeq()
    document.set('known', list)
  }
  const sequence = list as YAMLSeq
  sequence.flow = false
  const byId = new Map(findings.map((finding) => [finding.requirement, finding]))
  const present = new Set<string>()
  const removed = unknowable
  sequence.items = sequence.items.filter((item) => {
    const id = isMap(item) ? String(item.get('requirement')) : ''
    const finding = byId.get(id)
    const known = finding === undefined || has(finding, knowable)
    const open = finding !== undefined && has(finding, unjudged)
    const rests = finding?.status === 'pass' && isMap(item) && item.get('sometimes') === true
    const keep = ids.includes(id) && (known || open || rests)
    if (keep) present.add(id)
    else removed.push(id)
    if (keep && known && isMap(item) && finding !== undefined && isScalar(item.get('status', true)))
      item.set('status', finding.status)
    return keep
  })
  const found = [...byId.values()].filter(
    (finding) =>
      ids.includes(finding.requirement) && has(finding, adding) && !present.has(finding.requirement),
  )
  for (const finding of found) {
    const { requirement, status } = finding
    sequence.add(document.createNode({ requirement, status, reason: reasonOf(finding) }))
  }
  return {
    text: document.toString({ lineWidth: 110 }),
    added: found.map(({ requirement }) => requirement),
    removed,
  }
}

/** An entry that another one references (YAML anchor) cannot be removed, and its alias cannot be parsed alone. */
function rejectAliases(document: Document, file: string): void {
  visit(document, {
    Alias(_key, { source }) {
      throw new ConfigurationError(
        `the baseline has an alias, *${source}`,
        `--baseline ${file}`,
        'replace it with its value',
      )
    },
  })
}

/** The ids of the entries, existing or not: unknown ones are removed here, while a run rejects them. */
function namedIn(content: unknown): string[] {
  const list = (content as { known?: unknown } | null)?.known
  if (!Array.isArray(list)) return []
  return list
    .map((row: unknown) => (row as { requirement?: unknown } | null)?.requirement)
    .filter((name) => typeof name === 'string')
}

function has({ status }: Finding, statuses: readonly Status[]): boolean {
  return statuses.includes(status)
}

/** Removes entries about requirements that were not judged, and returns their ids: a run rejects them. */
function removeUnjudged(document: Document): string[] {
  const list = document.get('known')
  if (!isSeq(list)) return []
  const removed: string[] = []
  list.items = list.items.filter((item) => {
    if (!isMap(item) || !unjudged.includes(item.get('status') as Status)) return true
    removed.push(String(item.get('requirement')))
    return false
  })
  return removed
}

/** The observed fact. A person adds why it is accepted. */
function reasonOf({ message, expected, received, hint }: Finding): string {
  const seen = expected && received ? ` (expected ${cut(expected)}, received ${cut(received)})` : ''
  return visible(`not investigated yet: ${cut(message, 300)}${seen}${hint === undefined ? '' : ` [${hint}]`}`)
}

function cut(text: string, most = 120): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > most ? `${flat.slice(0, most)}…` : flat
}
