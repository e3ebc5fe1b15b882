/**
 * Values for fields that a table requires and the suite does not know. The rejection of a create most often names them, and
 * their names say what they hold. A wrong value is rejected again: only a create that is accepted shows that they are right.
 * docs/decisions/033.
 *
 * @module
 */

import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { mayBeAboutBody } from '../judging/expect.ts'
import type { Api, ApiResponse, Body } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { tablesNamedBy } from './mentioned.ts'
import { complaintsIn } from './named-fields.ts'
import { pageOf } from './page-of.ts'
import { plainName } from './plain-name.ts'
import { usableResponse } from './usable-response.ts'
import { valuesFor } from './values-for.ts'

type Row = Readonly<Record<string, unknown>>
/** The values that were tried of each field, as JSON, by its plain name: sentences may spell it in a way of their own. */
type Tried = Map<string, readonly string[]>

/** Creates that are sent after one that was rejected. */
const mostTries = 5
/** Fields that are given values: a response that names more may name anything. */
const mostFields = 12

/**
 * Creates a record; where that is rejected, again with values for the fields that the rejection names.
 *
 * @param api lists the table and those that its fields may lead to, to see what the fields hold
 * @param create is given the table with the values; its result is undefined if the response cannot be used
 * @param mark the field that shows later that the record is the run's. No more is created where existing records lack it
 * @returns the response to the last create, and the table with the values that it had
 */
export async function createWithRequired<T extends ApiResponse | undefined>(
  session: Wire,
  api: Api,
  table: TableRef,
  create: (table: TableRef) => Promise<T>,
  mark?: string,
): Promise<{ response: T; table: TableRef }> {
  const values: Record<string, unknown> = { ...table.values }
  const tried: Tried = new Map()
  const ids = new Map<string, readonly unknown[]>()
  let rows: readonly Row[] | undefined
  let last = await create(table)
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (last === undefined || last.ok || !mayBeAboutBody(last)) break
    const named = complaintsAbout(last, tried)
    if (named.length === 0) break
    rows ??= await recordsOf(api, table)
    const complaints = spelledAs(rows, named)
    if (mark !== undefined && rows.length > 0 && !rows.some((row) => mark in row)) break
    for (const [field] of complaints)
      if (!ids.has(field)) ids.set(field, await relatedIds(session, api, field))
    const added = nextValues(complaints, tried, (field, complaint) =>
      valuesFor(field, complaint, rows ?? [], ids.get(field)),
    )
    if (Object.keys(added).length === 0) break
    Object.assign(values, added)
    last = await create({ ...table, values: { ...values } })
  }
  return { response: last, table: tried.size === 0 ? table : { ...table, values } }
}

/** Records that a list shows, with the names of the server. */
async function recordsOf(api: Api, { role, name }: TableRef): Promise<readonly Row[]> {
  const list = await usableResponse(() => api.list({ role, name }))
  return (list && pageOf(list)?.filter(isObject)) ?? []
}

/** The id of a record that the field may lead to: of the table that it is named after. */
async function relatedIds({ target }: Wire, api: Api, field: string): Promise<readonly unknown[]> {
  const { plain = [], closed = [], members = [] } = target.explored ?? {}
  const named = tablesNamedBy(field)
  const related = [...plain, ...closed, ...members].find(({ name }) => named.includes(name))
  if (related === undefined) return []
  return (await recordsOf(api, related)).slice(0, 1).map(({ id }) => id)
}

type Complaint = readonly [field: string, complaint: string]

/**
 * The same with the fields as records spell them: `firstName` where a sentence begins with `First name`, `author_id` where the
 * author must exist.
 */
function spelledAs(rows: readonly Row[], complaints: readonly Complaint[]): Complaint[] {
  const fields = rows.flatMap((row) => Object.keys(row))
  const held = (name: string) => fields.find((field) => plainName(field) === plainName(name))
  return complaints.map(([name, complaint]) => {
    const reference = `${name}_id`
    const other = /\bmust exist\b/.test(complaint) ? reference : name
    return [held(name) ?? held(reference) ?? other, complaint]
  })
}

/** What a rejection says about fields that were not sent, or only as a trial. */
function complaintsAbout(rejection: ApiResponse, tried: Tried): Complaint[] {
  const sent = Object.keys(jsonObject(rejection.exchange.request.body) ?? {}).map(plainName)
  return [...complaintsIn(rejection.body ?? rejection.text)].filter(
    ([field]) =>
      // A second password has to be the first one, and the caller knows it.
      !/pass|pwd/i.test(field) && (tried.has(plainName(field)) || !sent.includes(plainName(field))),
  )
}

/** The next value for each of the fields that has one. */
function nextValues(
  complaints: readonly Complaint[],
  tried: Tried,
  candidates: (field: string, complaint: string) => unknown[],
): Body {
  const values: Record<string, unknown> = {}
  for (const [field, complaint] of complaints) {
    const before = tried.get(plainName(field))
    if (before === undefined && tried.size >= mostFields) continue
    const next = candidates(field, complaint).find((value) => !before?.includes(JSON.stringify(value)))
    if (next === undefined) continue
    values[field] = next
    tried.set(plainName(field), [...(before ?? []), JSON.stringify(next)])
  }
  return values
}
