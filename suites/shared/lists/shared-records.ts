import { isObject } from '../../../exchange/json-object.ts'
import { BlockedError, UntestableError } from '../../../harness/judging/expect.ts'
import { type ListEnd, recordsOf } from '../../../harness/ownership/prior-records.ts'
import { toOurs } from '../../../harness/target/mapped-table.ts'
import type { Api, ApiResponse, Body, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { expectForm } from '../../../harness/wire/expect-form.ts'
import { conditionText, expansionText, formHint, orderText } from '../../../harness/wire/query-text.ts'
import { isAboutBody } from '../../../spec/status-range.ts'
import { type ListBody, listOf } from '../records/record-of.ts'
import { commonValue, tableToShare } from './common-value.ts'
import { pageAfter, walk } from './walk.ts'

/** Records of a check's own, listed alone: the requirements of the document, in the target's own words. */
export interface SharedRecords {
  table: TableRef
  /** As they were created, in that order. */
  records: WireRecord[]
  /** The value of the field that they share: a text, or the id of the record that all of them refer to. */
  mark: string
  /** The record that all of them refer to, where no two may have the same text. Absent: they share a text. */
  related?: WireRecord
  /** The `filter` that only they match. */
  filter: string
  /** A list of these records only. */
  list(query?: Query): Promise<ListBody>
  /** What another such record sends, without what the others needed in addition. */
  another(body?: Body): Body
  /** All pages of these records, from the first to the last. */
  pages(query: Query): Promise<ListBody[]>
}

/** Name of one of our fields in the target's table, for strings that only the target reads: conditions, orders. */
export function fieldOf(table: TableRef, field: string): string {
  return table.fields?.[field] ?? field
}

/** The filter `field equals value` as the target writes it. Values are letters, digits, hyphens: nothing to escape. */
export function equals({ binding }: CheckContext, table: TableRef, field: string, value: string): string {
  return conditionText(binding, fieldOf(table, field), value)
}

/** Records that are read of a table whose filters have no effect. */
const mostRead = 5_000

/**
 * The records whose field has a value that only they have. A target may ignore a filter, which is the finding of another
 * check, or reject it: which fields a condition can be about is left open. Then the table is read page by page, and the
 * values are compared here.
 */
export async function recordsWith(
  context: CheckContext,
  table: TableRef,
  field: string,
  value: string,
  api: Api = context.api,
): Promise<WireRecord[]> {
  const filter = equals(context, table, field, value)
  const response = await api.list(table, { filter })
  if (isAboutBody(response.status)) {
    const found = await readWith(table, field, value, api)
    // Without a condition, the list was rejected as well.
    return found ?? listOf(response).items
  }
  const first = listOf(response)
  const listed = new Map<string, WireRecord>()
  const isAlone = ({ items }: ListBody) => !items.some((item) => isOther(item[field], value))
  // A page may contain one record only. How many follow is what the totals say, or less.
  for (let [page, read]: [ListBody, number] = [first, 1]; isAlone(page); read += 1) {
    const before = listed.size
    for (const item of page.items) listed.set(item.id, item)
    if (listed.size === before || !(listed.size < first.totalItems)) return [...listed.values()]
    const next = await api.list(table, { filter, page: pageAfter(first, read) })
    if (!next.ok) return [...listed.values()]
    page = listOf(next)
  }
  return (await readWith(table, field, value, api)) ?? []
}

/** The same, without a filter. Undefined if the list is rejected. */
async function readWith(
  table: TableRef,
  field: string,
  value: string,
  api: Api,
): Promise<WireRecord[] | undefined> {
  const found: WireRecord[] = []
  let isRead = true
  const onEnd = (end: ListEnd) => {
    isRead = end === 'whole' || !end.reason.startsWith('returned ')
  }
  for await (const { record } of recordsOf(api, table.name, mostRead, onEnd))
    if (isSame(record[fieldOf(table, field)], value)) found.push(toOurs(table, record) as WireRecord)
  return isRead ? found : undefined
}

/**
 * The list of the record with an id. If the server takes no condition on ids, the list without one: which fields a condition
 * can be about is left open.
 */
export async function listById(
  context: CheckContext,
  api: Api,
  table: TableRef,
  id: string,
  query: Query = {},
): Promise<ApiResponse> {
  const narrowed = await api.list(table, { filter: equals(context, table, 'id', id), ...query })
  if (!isAboutBody(narrowed.status)) return narrowed
  const whole = await api.list(table, { perPage: 100, ...query })
  return whole.ok ? whole : api.list(table, query)
}

const isSame = (shown: unknown, value: string) =>
  typeof shown === 'string' && shown.toLowerCase() === value.toLowerCase()

/** A value that is not shown as a string may be in another form of the server. */
const isOther = (shown: unknown, value: string) => typeof shown === 'string' && !isSame(shown, value)

/** The order by one field as the target writes it. */
export function sortBy(
  { binding }: CheckContext,
  table: TableRef,
  field: string,
  direction: 'ascending' | 'descending',
): string {
  return orderText(binding, fieldOf(table, field), direction)
}

/** The expansion of one relation field as the target writes it. */
export function expandBy({ binding }: CheckContext, table: TableRef, field: string): string {
  return expansionText(binding, fieldOf(table, field))
}

/** `count` records with nothing of their own, for checks that only read them: made once for all. */
export function commonRecords(context: CheckContext, count: number): Promise<SharedRecords> {
  return context.once(`pile of ${count}`, () => sharedRecords(context, alike(count)))
}

/**
 * Creates one record for each body; all share a value in the first text field of the table or, where it must be unique,
 * in its relation, whatever the bodies say.
 *
 * @param given by default the first table whose records may have the same text, or else refer to the same record
 * @param usual what each record needs in addition: a relation may be required
 */
export async function sharedRecords(
  context: CheckContext,
  bodies: readonly Body[],
  given?: TableRef,
  usual: Body = {},
): Promise<SharedRecords> {
  const shareable = ['plain', 'related', 'everything']
  const table = given ?? (await tableToShare(context, shareable)) ?? context.table('plain')
  const common = await commonValue(context, table)
  const { field, value: mark, related } = common
  if (related === undefined) await expectFilters(context, table, field, usual)
  const filter = equals(context, table, field, mark)
  const another = (body: Body = {}) => ({ ...common.body(), ...body, [field]: mark })
  const records = await context.makeMany(
    table,
    bodies.map((body) => another({ ...usual, ...body })),
  )
  const list = async (query: Query = {}) => listOf(await context.api.list(table, { filter, ...query }))
  return {
    table,
    records,
    mark,
    ...(related && { related }),
    filter,
    list,
    another,
    pages: (query) => walk(list, query, records.length),
  }
}

/**
 * Records can be listed alone only where a filter has an effect. That it has none is the finding of list.filter-narrows,
 * which may not be in the run: then nothing can be said about pages and totals, and no one is accused.
 *
 * @throws UntestableError if it is not known how to write a filter, or if the field takes no condition: which fields do is left
 * open
 * @throws BlockedError where a list with a filter shows another record
 */
export function expectFilters(
  context: CheckContext,
  table: TableRef,
  field: string,
  usual: Body = {},
): Promise<void> {
  expectForm(context, 'filter')
  return context.once(`a filter in ${table.name} by ${field}`, async () => {
    const [one, other] = [context.unique('one'), context.unique('other')]
    await context.makeMany(table, [
      { ...usual, [field]: one },
      { ...usual, [field]: other },
    ])
    const { status, body } = await context.api.list(table, { filter: equals(context, table, field, one) })
    if (isAboutBody(status) && (await context.api.list(table)).ok)
      throw conditionRejected(table, field, status)
    const items = isObject(body) && Array.isArray(body.items) ? body.items.filter(isObject) : []
    if (items.some((item) => isOther(item[field], one)))
      throw new BlockedError(
        `a filter has no effect in ${table.name}, so the records of the check cannot be listed alone: see list.filter-narrows`,
      )
  })
}

/** A condition on a text field is rejected, and may be on other fields: the document does not say which. */
export function conditionRejected(table: TableRef, field: string, status: number): UntestableError {
  return new UntestableError(
    `a condition on "${fieldOf(table, field)}" of ${table.name} is rejected with ${status}, and the document does not say which fields a condition can be about`,
    `map "${field}" of the role "${table.role}" to a text field by which lists can be filtered; if filters have another form, ${formHint('filter')}`,
  )
}

/** The number of the first page, as lists return it if none is requested. */
export async function firstPage({ api, once }: CheckContext, table: TableRef): Promise<number> {
  return once(`first page of ${table.name}`, async () => pageAfter(listOf(await api.list(table)), 0))
}

/** `count` bodies with nothing of their own. */
export function alike(count: number): Body[] {
  return Array.from({ length: count }, () => ({}))
}

export function idsOf(records: readonly WireRecord[]): string[] {
  return records.map(({ id }) => id)
}
