/**
 * `conformance matrix REPORT…`: one page with one row per requirement, and one column per report.
 *
 * @module
 */

import { basename } from 'node:path'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { matrixOf } from '../harness/report/matrix/matrix.ts'
import { matrixHtml } from '../harness/report/matrix/matrix-html.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { rewriteWhole } from '../harness/support/write-whole.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import type { MatrixFlags } from './compare-options.ts'
import { readReport } from './read-report.ts'

/**
 * @param files JSON reports, each optionally with a heading, as in `v1.2=report.json`
 * @returns the exit code
 * @throws ConfigurationError for a file that is not a report, and for two columns of one name
 */
export async function matrixCommand(
  files: readonly string[],
  { output = 'matrix.html', title = 'Conformance matrix' }: Partial<MatrixFlags>,
): Promise<number> {
  const reports = files.map(column)
  const twice = reports.find(({ name }, at) => reports.findIndex((each) => each.name === name) !== at)
  if (twice !== undefined)
    throw new ConfigurationError(
      `two columns are called "${twice.name}"`,
      `conformance matrix ${files.join(' ')}`,
      'give each report a unique name: NAME=FILE',
    )
  const matrix = matrixOf(reports)
  const page = matrixHtml(matrix, title)
  if (output === '-') {
    process.stdout.write(page)
    return 0
  }
  try {
    rewriteWhole(output, page)
  } catch (error) {
    throw unwritable('the matrix', `--output ${output}`, error)
  }
  const { name, version } = packageFacts()
  const differing = matrix.rows.filter(({ differs }) => differs).length
  process.stdout.write(
    `${name} ${version}  ${output}: ${matrix.rows.length} requirements, ${reports.length} servers, ${differing} differences\n`,
  )
  return 0
}

function column(given: string): { name: string; report: RunReport } {
  const [, heading, path] = /^([^=/\\]+)=(.+)$/.exec(given) ?? []
  const file = path ?? given
  const report = readReport(file, `conformance matrix ${given}`)
  return { name: heading ?? report.target.name ?? basename(file, '.json'), report }
}
