/**
 * Brings a baseline up to date with a report, and leaves everything else in the file as it is: comments, order, reasons.
 *
 * @module
 */

import { type Document, isMap, isScalar, isSeq, parseDocument, YAMLSeq } from 'yaml'
import { ConfigurationError } from '../errors.ts'
import type { Finding } from '../vocabulary/findings.ts'
import { type KnownStatus, knowable } from './baseline.ts'

export interface UpdatedBaseline {
  text: string
  added: string[]
  removed: string[]
}

const heading = ` Findings that are accepted for now. Each needs a reason; \`issue\` and \`expires\` are welcome.`

/**
 * @param text the file as it is; empty for none
 * @param ids requirements that exist: an entry about another one is removed
 * @throws ConfigurationError when the file cannot be understood
 */
export function updateBaseline(
  text: string,
  findings: readonly Finding[],
  ids: readonly string[],
): UpdatedBaseline {
  const fresh = text.trim() === ''
  const document: Document = parseDocument(fresh ? 'known: []\n' : text)
  const [error] = document.errors
  if (error !== undefined) {
    throw new ConfigurationError(
      `the baseline is no YAML: ${error.message.split('\n')[0]}`,
      '--baseline',
      'correct the syntax at the place named',
    )
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new ConfigurationError(
      'the baseline has no list "known"',
      '--baseline',
      'name a file that this command wrote before, or one that does not exist yet',
    )
  }
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
  const removed: string[] = []
  sequence.items = sequence.items.filter((item) => {
    const id = isMap(item) ? String(item.get('requirement')) : ''
    const finding = byId.get(id)
    const keep = ids.includes(id) && (finding === undefined || isKnowable(finding))
    if (keep) present.add(id)
    else removed.push(id)
    if (keep && isMap(item) && finding !== undefined && isScalar(item.get('status', true)))
      item.set('status', finding.status)
    return keep
  })
  const found = findings.filter((finding) => isKnowable(finding) && !present.has(finding.requirement))
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

function isKnowable({ status }: Finding): boolean {
  return knowable.includes(status as KnownStatus)
}

/** The fact that was seen: a person says why it is accepted. */
function reasonOf({ message, expected, received, hint }: Finding): string {
  const seen = expected && received ? ` (expected ${cut(expected)}, received ${cut(received)})` : ''
  return `not looked into yet: ${cut(message, 300)}${seen}${hint === undefined ? '' : ` [${hint}]`}`
}

function cut(text: string, most = 120): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > most ? `${flat.slice(0, most)}…` : flat
}
