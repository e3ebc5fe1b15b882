import { BlockedError, expectEqual } from '../../../harness/judging/expect.ts'
import type { Api, Body, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { listOf } from '../../shared/records/record-of.ts'

/** The field of a table that carries the mark of a sample, so that a check sees none but its own records. */
const markFields: Record<string, string> = {
  everything: 'editor',
  plain: 'title',
  hiding: 'title',
  members: 'name',
  related: 'name',
}

/** A few records with names of the check's own. A filter selects such names, each one word. */
export interface ListSample {
  table: TableRef
  /** By name. */
  records: Readonly<Record<string, WireRecord>>
  /** What the mark field of every record holds. */
  mark: string
  /** The filter that selects the whole sample. */
  whole: string
  /** The names that a list gives for exactly this query, in the order of the list. */
  sendRequest(query: Query, api?: Api): Promise<string>
  /** The names that a filter selects out of the sample, in alphabetical order. */
  select(filter: string, api?: Api): Promise<string>
  /** The names in the order of a `sort` parameter. */
  sorted(sort: string): Promise<string>
  /** Filters and the names, in alphabetical order, that each must select out of the sample. */
  selects(cases: Readonly<Record<string, string>>): Promise<void>
}

/** Creates the records, one after the other, each with the same mark. */
export async function sample(
  context: CheckContext,
  bodies: Readonly<Record<string, Body>>,
  role = 'everything',
): Promise<ListSample> {
  const { api, make, unique } = context
  const table = context.table(role)
  const field = markFields[role] ?? 'title'
  const mark = unique('mark')
  const whole = `${field} = "${mark}"`
  const records: Record<string, WireRecord> = {}
  for (const [name, body] of Object.entries(bodies))
    records[name] = await make(table, { [field]: mark, ...body })
  const names = new Map(Object.entries(records).map(([name, { id }]) => [id, name]))

  const found: ListSample = {
    table,
    records,
    mark,
    whole,
    async sendRequest(query, caller = api) {
      const { items } = listOf(await caller.list(table, { perPage: 1000, ...query }))
      return items.map(({ id }) => names.get(id) ?? `(${id})`).join(' ')
    },
    async select(filter, caller = api) {
      const response = await found.sendRequest({ filter: `${whole} && (${filter})` }, caller)
      return response.split(' ').sort().join(' ')
    },
    sorted: (sort) => found.sendRequest({ filter: whole, sort }),
    async selects(cases) {
      for (const [filter, expected] of Object.entries(cases))
        expectEqual(await found.select(filter), expected, `what ${filter} selects`)
    },
  }
  return found
}

/** A record of a sample. @throws BlockedError when the sample has none of that name. */
export function sampleId({ records }: ListSample, name: string): string {
  const record = records[name]
  if (record === undefined) throw new BlockedError(`the check has no record "${name}"`)
  return record.id
}
