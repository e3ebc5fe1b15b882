/**
 * The result of a run as a page: what passed, and each finding that did not with the cause that its baseline entry names.
 *
 * @module
 */

import type { KnownEntry } from '../../harness/judging/baseline.ts'
import type { Finding } from '../../harness/vocabulary/finding.ts'
import type { RunReport } from '../../harness/vocabulary/report.ts'

/** @returns Markdown. Nothing in it changes from run to run but the date and the counts. */
export function resultsPage(report: RunReport, known: readonly KnownEntry[]): string {
  const causes = new Map(known.map(({ requirement, reason }) => [requirement, reason]))
  const of = (...statuses: Finding['status'][]) =>
    report.findings
      .filter(({ status }) => statuses.includes(status))
      .sort((a, b) => (a.requirement < b.requirement ? -1 : 1))
  const bad = of('fail', 'warn', 'blocked', 'untestable')
  const absent = of('not-applicable')
  const { document, profile } = report.verdict
  return [
    '# The suite on the living server family',
    '',
    `A server of the family with an empty database, provisioned by \`--target pocketbase\`, under its own prefix \`/api\`. ${report.requests} requests, seed ${report.seed}, ${report.startedAt.slice(0, 10)}. \`npm run living -- --write-results\` writes this page.`,
    '',
    `- document: ${document.passed + 0} of ${document.counted + (document.known ?? 0)} that could be judged pass`,
    `- standard profile: ${profile.passed} of ${profile.counted + (profile.known ?? 0)}`,
    `- not applicable: ${absent.length} (${[...new Set(absent.map(({ message }) => /"(\w+)"/.exec(message)?.[1] ?? message))].join(', ')})`,
    '',
    'What did not pass, with its cause on the wire. The same list, as a baseline for `--baseline`, is in',
    '[living-server.known.yaml](living-server.known.yaml).',
    '',
    '| requirement | status | basis | cause |',
    '| --- | --- | --- | --- |',
    ...bad.map(
      ({ requirement, status, basis, message }) =>
        `| \`${requirement}\` | ${status} | ${basis} | ${cell(causes.get(requirement) ?? message)} |`,
    ),
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()
}
