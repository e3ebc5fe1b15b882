import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/** Two words that differ only near their end: with 21 equal letters, and with 11. */
const LONG = ['electroencephalographic', 'electroencephalographer'] as const
const SHORTER = ['watercolorist', 'watercoloring'] as const

/**
 * Lower-case words that every alphabet sorts alike, in another order. Two of them differ only near their end. How long a
 * text may be is left open (8): they are shorter where the table does not take the long ones as they are.
 */
export async function wordsFor(context: CheckContext, table: TableRef): Promise<string[]> {
  const { api, make, mayExist, unique } = context
  const field = textFieldOf(table.role)
  const text = unique(LONG[0])
  const shown = await unlessPrevented(async () => {
    const record = await make(table, { [field]: text })
    return mayExist('viewRecord') ? recordOf(await api.view(table, record.id)) : record
  })
  const [one, other] = shown?.[field] === text ? LONG : SHORTER
  return ['mango', 'apple', one, 'zebra', 'delta', other, 'piano', 'berry']
}
