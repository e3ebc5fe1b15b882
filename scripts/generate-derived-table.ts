/**
 * Writes the numbers of derived requests into `docs/targets.md`, between two marks, from the description:
 * `npm run generate`.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import { operations } from '../spec/openapi.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import type { CasePlace } from '../suites/shared/derived/case.ts'
import { casesOf } from '../suites/shared/derived/cases.ts'
import { derivedRuns, derivedSize } from '../suites/shared/derived/derived-property.ts'

const page = new URL('../docs/targets.md', import.meta.url)
const begin = '<!-- Written by `npm run generate` from spec/openapi.yaml: do not edit. -->\n'
const end = '<!-- End of the generated part. -->\n'

/** Columns of the table, each with the places that it counts. */
const columns: readonly (readonly [string, ...CasePlace[]])[] = [
  ['path', 'path parameter'],
  ['query', 'query parameter'],
  ['headers', 'header'],
  ['body', 'body key', 'body'],
  ['media types', 'media type'],
  ['methods', 'method'],
]

/** The page with the table as it should be. @throws Error if a mark is missing */
export function withDerivedTable(text: string): string {
  const [before, rest] = text.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error(`docs/targets.md needs the lines ${begin} and ${end}`)
  return `${before}${begin}\n${derivedTable()}\n${end}${after}`
}

export function targetsPage(): Promise<string> {
  return readFile(page, 'utf8')
}

/** The smallest `--runs` with which all cases of an operation are sent. */
export function runsForAll(id: OperationId): number {
  return Math.ceil(casesOf(id).length / (derivedSize * derivedRuns))
}

function derivedTable(): string {
  const rows = operations().map(({ id }) => {
    const counts = columns.map(
      ([, ...places]) => casesOf(id).filter(({ place }) => places.includes(place)).length,
    )
    return `| \`${id}\` | ${[...counts, casesOf(id).length, runsForAll(id)].join(' | ')} |`
  })
  const sum = operations().reduce((total, { id }) => total + casesOf(id).length, 0)
  const most = Math.max(...operations().map(({ id }) => runsForAll(id)))
  const names = ['operation', ...columns.map(([name]) => name), 'all', '`--runs` for all']
  return [
    `There are ${sum} of these requests, and \`--only 'derived.*' --runs ${most}\` sends all of them:`,
    '',
    `| ${names.join(' | ')} |`,
    `|${names.map((_, at) => (at === 0 ? ' --- |' : ' --: |')).join('')}`,
    ...rows,
    '',
  ].join('\n')
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  await writeFile(page, withDerivedTable(await targetsPage()))
