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
import { complaintsIn } from './named-fields.ts'
import { pageOf } from './page-of.ts'
import { plainName } from './plain-name.ts'
import { usableResponse } from './usable-response.ts'
import { valuesFor } from './values-for.ts'

type Row = Readonly<Record<string, unknown>>
/** The values that were tried of each field, as JSON. */
type Tried = Map<string, readonly string[]>

/** Creates that are sent after one that was rejected. */
const mostTries = 5
/** Fields that are given values: a response that names more may name anything. */
const mostFields = 12

/**
 * Creates a record; where that is rejected, again with values for the fields that the rejection names.
 *
 * @param api lists the table, to see what its fields hold
 * @param create is given the table with the values; its result is undefined if the response cannot be used
 * @returns the response to the create that was accepted, and the table with the values that it needed; if there is none, the
 *   response to the first one, which says best what is missing
 */
export async function createWithRequired<T extends ApiResponse | undefined>(
  api: Api,
  table: TableRef,
  create: (table: TableRef) => Promise<T>,
): Promise<{ response: T; table: TableRef }> {
  const first = await create(table)
  const values: Record<string, unknown> = { ...table.values }
  const tried: Tried = new Map()
  let rows: readonly Row[] | undefined
  let last = first
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (last === undefined || last.ok || !mayBeAboutBody(last)) break
    const complaints = complaintsAbout(last, tried)
    if (complaints.length === 0) break
    rows ??= await recordsOf(api, table)
    const added = nextValues(complaints, tried, rows)
    if (Object.keys(added).length === 0) break
    Object.assign(values, added)
    last = await create({ ...table, values: { ...values } })
  }
  if (last?.ok !== true || tried.size === 0) return { response: first, table }
  return { response: last, table: { ...table, values } }
}

/** Records that a list shows, with the names of the server. */
async function recordsOf(api: Api, { role, name }: TableRef): Promise<readonly Row[]> {
  const list = await usableResponse(() => api.list({ role, name }))
  return (list && pageOf(list)?.filter(isObject)) ?? []
}

/** What a rejection says about fields that were not sent, or only as a trial. */
function complaintsAbout(rejection: ApiResponse, tried: Tried): [field: string, complaint: string][] {
  const sent = Object.keys(jsonObject(rejection.exchange.request.body) ?? {}).map(plainName)
  return [...complaintsIn(rejection.body ?? rejection.text)].filter(
    ([field]) =>
      // A second password has to be the first one, and the caller knows it.
      !/pass|pwd/i.test(field) && (tried.has(field) || !sent.includes(plainName(field))),
  )
}

/** The next value for each of the fields that has one. */
function nextValues(
  complaints: readonly [field: string, complaint: string][],
  tried: Tried,
  rows: readonly Row[],
): Body {
  const values: Record<string, unknown> = {}
  for (const [field, complaint] of complaints) {
    const before = tried.get(field)
    if (before === undefined && tried.size >= mostFields) continue
    const next = valuesFor(field, complaint, rows).find((value) => !before?.includes(JSON.stringify(value)))
    if (next === undefined) continue
    values[field] = next
    tried.set(field, [...(before ?? []), JSON.stringify(next)])
  }
  return values
}
