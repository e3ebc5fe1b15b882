/**
 * Searches a table for the records of creates without a response, or whose response contains no id.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { ExpectationError } from '../judging/expect.ts'
import { idOf, type ListEnd, mostPriorIds, recordsOf } from '../ownership/prior-records.ts'
import type { Api } from '../vocabulary/api.ts'
import { conditionText } from '../wire/query-text.ts'
import type { Intent } from './journal.ts'

/** How a filter escapes these characters is unspecified. */
const escaped = /['"`\\\p{C}]/u
/** Characters that every server compares as they were sent. */
const simple = /^[\w .@-]*$/

/**
 * Ids of the records with the value of an intent. The table is filtered with the target's own syntax, and read page by
 * page if that finds nothing reliable.
 *
 * @returns a reason instead if the table cannot be listed, or not completely; `listedAs` if a record with the value is
 *   listed whose id no path can contain
 * @throws TargetLostError
 */
export async function findIntended(
  session: { readonly binding: Binding },
  api: Api,
  intent: Intent,
): Promise<FoundOrReason> {
  try {
    return await search(session, api, intent)
  } catch (error) {
    // The checks of lists report a response that is not a list.
    if (error instanceof ExpectationError) return { reason: error.message }
    throw error
  }
}

type FoundOrReason = { ids: string[] } | { reason: string } | { listedAs: string }

/** By session, the filter forms that have found a record. */
const known = new WeakMap<object, Set<string>>()

async function search(
  session: { readonly binding: Binding },
  api: Api,
  { table, field, value }: Intent,
): Promise<FoundOrReason> {
  const { binding } = session
  const fits = fitting(field, value)
  const form = `${binding['list.filter']} ${binding['filter.equals']}`
  const finding = known.get(session) ?? new Set()
  known.set(session, finding)
  if (!escaped.test(value)) {
    const filter = conditionText(binding, field, value)
    const { ok, body } = await api.list({ role: '', name: table }, { filter, perPage: 200 })
    const items = ok && isObject(body) && Array.isArray(body.items) ? body.items : undefined
    const shown = items?.filter(fits) ?? []
    if (shown.length > 0) finding.add(form)
    // Of many records with the same text, a server may show fewer than were requested.
    const isPart = shown.length > 0 && isObject(body) && Number(body.totalItems) > (items?.length ?? 0)
    const found = isPart ? (await readAll(api, table, fits, filter)).found : shown
    // A server may normalize other characters when it stores them, but not when it compares. One that lists other records
    // ignores the filter, and the record may be on a later page. One that has another form may list none.
    if (found.length > 0 || (items?.length === 0 && simple.test(value) && finding.has(form)))
      return idsOf(found)
  }
  const { found, end } = await readAll(api, table, fits)
  return found.length > 0 ? idsOf(found) : endOf(end)
}

/** The records that fit, of all pages. */
async function readAll(
  api: Api,
  table: string,
  fits: (record: unknown) => boolean,
  filter?: string,
): Promise<{ found: unknown[]; end: ListEnd }> {
  const found: unknown[] = []
  let end: ListEnd = { reason: 'was not read to its end', mayBeAboutPages: false }
  const onEnd = (how: ListEnd) => {
    end = how
  }
  for await (const { record } of recordsOf(api, table, mostPriorIds, onEnd, filter))
    if (fits(record)) found.push(record)
  return { found, end }
}

function endOf(end: ListEnd): FoundOrReason {
  if (end === 'whole') return { ids: [] }
  return { reason: `the list ${end.reason}` }
}

function idsOf(records: readonly unknown[]): FoundOrReason {
  const ids = records.flatMap((each) => idOf(each) ?? [])
  const [first] = records
  if (ids.length > 0 || !isObject(first)) return { ids }
  return { listedAs: first.id === undefined ? 'no id' : `the id ${JSON.stringify(first.id).slice(0, 80)}` }
}

/** A server may ignore a filter, or normalize what it stores: the results are compared again. */
function fitting(field: string, value: string): (record: unknown) => boolean {
  const plain = (text: unknown) => String(text).normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return (record) => isObject(record) && plain(record[field]) === plain(value)
}
