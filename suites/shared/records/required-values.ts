import { filledValues } from '../../../harness/support/filled-values.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * What the table requires of each record, by the target's names, for creates that are sent as they are written: `{unique}` in a
 * string becomes a word that no other record has, which proves that the run wrote the record.
 */
export function requiredValues({ unique }: Pick<CheckContext, 'unique'>, { values = {} }: TableRef): Body {
  return filledValues(values, () => unique('word').replaceAll('-', '_'))
}
