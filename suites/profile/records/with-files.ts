import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { uploads } from '../../shared/records/forms.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** Two records of the table with all field types, each with files of its own. */
export async function recordsWithFiles({
  api,
  makeMany,
  table,
  unique,
}: CheckContext): Promise<WireRecord[]> {
  const everything = table('everything')
  const made = await makeMany(everything, [{ text: unique('files') }, { text: unique('files') }])
  const records = []
  for (const { id } of made) records.push(recordOf(await api.update(everything, id, uploads())))
  return records
}
