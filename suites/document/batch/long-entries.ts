import { isObject } from '../../../exchange/json-object.ts'
import { expectThat, isRejected } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { isSuccess } from '../../../spec/status-range.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessTooLarge } from '../records/awkward.ts'
import { expectNone } from '../records/commands.ts'
import { differsFromBody } from '../records/table-model.ts'
import { lackingFields } from '../records/unknown-fields.ts'

/** Lengths of a value in an entry: some KiB, above 64 KiB and above 1 MiB. */
const lengths = [4_100, 70_000, 1_100_000]

/**
 * Long strings in the create and update entries of a batch are stored as they were sent. The document does not say
 * which sizes a server accepts (8): the check ends at the first one that it rejects.
 */
export async function expectLongEntries(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  const everything = table('everything')
  if ((await lackingFields(context)).includes('editor')) return
  const { create, update } = subRequests(api)
  const { id } = await make(everything, { text: unique('long') })
  let usual: number | undefined
  for (const length of lengths) {
    const editor = `<p>${'word '.repeat(length / 5)}</p>`
    const text = unique(`long ${length}`)
    const entries = [update(everything, id, { editor }), create(everything, { text, editor })]
    const response = await unlessTooLarge(() => api.batch(entries))
    if (response === undefined || isRejected(response) || saysFailed(response.body)) break
    const differences = differsFromBody(recordOf(await api.view(everything, id)), { editor })
    const found = await readTable(api, everything, (record) => record.text === text)
    const [created] = found.values()
    // Nothing was written, and the status is not the one of a batch that was: that says that it failed, too.
    usual ??= response.status
    if (response.status !== usual && differences.length > 0 && created === undefined) break
    expectNone(differences, `of ${length} characters in an entry`)
    expectThat(created !== undefined, 'a batch with a long value creates no record', 'a record')
    expectNone(differsFromBody(created, { text, editor }), `of ${length} characters in an entry that creates`)
    // As long as the record exists, lists of the table are just as long.
    await api.delete(everything, created.id)
  }
  await api.delete(everything, id)
}

/** Whether a 2xx response to a batch says that an entry failed, or that the whole did: its form is left open. */
function saysFailed(body: unknown): boolean {
  if (isObject(body) && Object.values(body).includes(false)) return true
  return objectsIn(body).some(({ status }) => typeof status === 'number' && !isSuccess(status))
}

/** The objects of a list, or of the lists in an object. */
function objectsIn(body: unknown): Record<string, unknown>[] {
  const lists = Array.isArray(body) ? [body] : isObject(body) ? Object.values(body).filter(Array.isArray) : []
  return lists.flat().filter(isObject)
}
