/**
 * Failures that say that an operation does not exist: one row for all with the same response. Pure.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { groupedBy } from '../support/grouped-by.ts'
import { namesText, plainEntry, type ReportEntry, shortened } from './entry.ts'
import type { ReportLimits } from './limits.ts'

/** Whether a failure says that an operation is missing, which is not a bug in an existing one: these come last. */
export function isAbsentOperation({ name, message }: ReportEntry): boolean {
  return name.startsWith('operation.') && message.includes('does not exist')
}

/** Maximum number of operations in the line: the first screen is for what to fix. */
const mostDeclared = 3
const mostNamed = 4

/** The line of a target file, ready to be copied, or the command that writes it. */
export function absentOperationsStep(absent: readonly ReportEntry[]): string {
  const operations = absent.map(({ name }) => loadRequirements().get(name)?.operations[0] ?? name)
  if (operations.length > mostDeclared)
    return 'implement them, or declare them absent: `conformance init` writes the line'
  const line = operations.map((operation) => `"${operation}": false`).join(', ')
  return `implement them, or declare in a target file that the server does not have them: "operations": { ${line} }`
}

/** One row per response: usually it is the same for all. */
export function absentOperationRows(absent: readonly ReportEntry[], { names }: ReportLimits): ReportEntry[] {
  const byResponse = groupedBy(absent, ({ finding }) => shortened(finding?.received ?? '', 60))
  return [...byResponse].map(([response, entries]) => {
    const count = countOf(entries.length, 'operation')
    const blocked = new Set(entries.flatMap(({ follows }) => follows)).size
    const cost = blocked === 0 ? '' : `; ${blocked} requirements need them`
    return {
      ...plainEntry('', `${count}, with the response ${response}${cost}`),
      status: 'fail' as const,
      facts: [
        {
          label: '',
          text: namesText(
            entries.map(({ name }) => name),
            Math.min(names, mostNamed),
          ),
        },
      ],
    }
  })
}
