/**
 * Updates of a table with only one known text field: an update that does not send the field must not change it.
 *
 * @module
 */

import { expectEqual, isRejected } from '../../../harness/judging/expect.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { sameText } from './same-value.ts'

/** Fields that are tried: enough for every type that a small table has. */
const mostFields = 6

/**
 * Updates nothing, then each other field that the server shows, and looks at the title after each. Which values a field
 * takes is left open: an update that is rejected says nothing.
 */
export async function expectTitleKept(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  const plain = table('plain')
  const title = unique('kept')
  const { id } = await make(plain, { title })
  const before = recordOf(await api.view(plain, id), 'a view of the created record')
  for (const sent of [{}, ...otherFields(before)]) {
    const response = await api.update(plain, id, sent)
    if (isRejected(response)) continue
    const after = recordOf(await api.view(plain, id), 'a view of the updated record')
    const what = Object.keys(sent).join() || 'no field'
    if (!sameText(after.title, title))
      expectEqual(after.title, title, `title after an update that sends ${what}`)
  }
}

/** A body for each field of a simple type that the record shows, with another value. */
function otherFields(record: WireRecord): Body[] {
  const ours = new Set<string>(['title', ...commonFields])
  return Object.entries(record)
    .filter(([field]) => !ours.has(field))
    .flatMap(([field, value]) => {
      const other = otherValue(value)
      return other === undefined ? [] : [{ [field]: other }]
    })
    .slice(0, mostFields)
}

function otherValue(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value} changed`.trim()
  return undefined
}
