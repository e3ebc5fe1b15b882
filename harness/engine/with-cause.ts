import type { CutList } from '../ownership/prior-records.ts'
import type { Unlisted } from '../vocabulary/report.ts'
import type { Target } from '../vocabulary/target.ts'
import { noForm, overridesForm } from '../wire/query-text.ts'

/**
 * Adds the cause to the reason why a table was not listed completely, where a page parameter is the cause. A table is listed
 * before the first record is created in it, and an exploration needs records to find out how the server names a page.
 */
export function withCause(
  { table, reason, mayBeAboutPages }: Unlisted & Pick<CutList, 'mayBeAboutPages'>,
  { binding, explored, unknownForms = [] }: Pick<Target, 'binding' | 'explored' | 'unknownForms'>,
): Unlisted {
  if (!mayBeAboutPages) return { table, reason }
  if (unknownForms.includes('page number')) return { table, reason: `${reason}; ${noForm('page number')}` }
  const isFoundSince =
    explored !== undefined && (overridesForm(binding, 'page number') || overridesForm(binding, 'page size'))
  return isFoundSince
    ? { table, reason: `${reason}; it was read before the run knew how the server names a page` }
    : { table, reason }
}
