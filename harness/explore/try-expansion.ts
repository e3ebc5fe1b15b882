/**
 * Finds out in which form a server takes an expansion: the document leaves it open. The form of the profile is tried first,
 * then forms that other servers use.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { recordOfCreate } from '../cleanup/record-of-create.ts'
import type { Relation } from '../target/relation-in.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { conditionText, expansionText, namesForm, queryText } from '../wire/query-text.ts'
import { pageOf } from './page-of.ts'
import { expansionForms } from './query-forms.ts'
import { requestSenderOf } from './send-request.ts'
import type { FoundForms } from './try-query.ts'

/**
 * Completes the binding of an explored target with the form of an expansion that has an effect. Of any other target only the
 * form of the profile is tried, unless its binding has one of its own or it claims a profile. Creates two records, and
 * deletes them.
 *
 * @returns undefined if nothing was tried
 */
export async function tryExpansion(
  session: Wire & CleanUp & TargetFacts,
  { child, parent }: Relation,
  unique: (prefix?: string) => string,
): Promise<FoundForms | undefined> {
  const { target } = session
  const explores = target.explored !== undefined
  if (namesForm(target, 'expansion') || target.profile !== undefined) return undefined
  const mark = session.cleanup.mark()
  try {
    const rows = await trialRows(session, { child, parent }, unique)
    if (rows === undefined) return undefined
    const field = (ours: string) => child.fields?.[ours] ?? ours
    const shown = async (form: Binding | undefined) => {
      const binding = { ...target.binding, ...form }
      const expand = form === undefined ? undefined : expansionText(binding, field('parent'))
      const hasFilter = target.unknownForms?.includes('filter') !== true
      const filter = hasFilter ? conditionText(binding, field('name'), rows.child) : undefined
      return show(session, child, queryText(binding, { filter, expand }), rows)
    }
    const plain = await shown(undefined)
    // A server may include related records without a request.
    if (plain === undefined || plain.parent) return undefined
    for (const form of explores ? [{}, ...expansionForms(field('parent'))] : [{}]) {
      const other = await shown(form)
      // A record that is included, and the wrong one, is for the checks to find.
      if (other === undefined || !(other.parent || other.records > plain.records)) continue
      session.target = { ...target, binding: { ...target.binding, ...form } }
      return { own: form, silent: [] }
    }
    session.target = { ...target, unknownForms: [...(target.unknownForms ?? []), 'expansion'] }
    return { own: {}, silent: ['expansion'] }
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/** The names of a record and of the one that it refers to. */
interface Names {
  child: string
  parent: string
}

async function trialRows(
  session: Wire & CleanUp,
  { child, parent }: Relation,
  unique: (prefix?: string) => string,
): Promise<Names | undefined> {
  const api = session.api('guest')
  const names = { child: unique('child'), parent: unique('parent') }
  const made = async (table: TableRef, body: { name: string; parent?: string }) => {
    const response = await api.create(table, body)
    return response.ok ? recordOfCreate(session, api, table, response, body) : undefined
  }
  const related = await made(parent, { name: names.parent })
  if (related?.id === undefined) return undefined
  return (await made(child, { name: names.child, parent: related.id })) === undefined ? undefined : names
}

/** What a list shows of a record. */
interface Shown {
  /** Whether it has the name of the record that this one refers to. */
  parent: boolean
  /** Number of records within the record. */
  records: number
}

/** Undefined if the list does not show the record: it may be on another page. */
async function show(
  session: Wire & CleanUp & TargetFacts,
  child: TableRef,
  query: string,
  names: Names,
): Promise<Shown | undefined> {
  const path = makePaths(session.target.binding).records(child)
  const token = session.standIns.get(child.name)
  const response = await requestSenderOf(session)(path + query, { token, operation: 'listRecords' })
  const item = pageOf(response)?.find((each) => JSON.stringify(each).includes(names.child))
  if (item === undefined) return undefined
  return { parent: response.text.includes(names.parent), records: recordsWithin(item) }
}

function recordsWithin(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + recordsWithin(each), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce<number>(
    (sum, each) => sum + recordsWithin(each) + (isObject(each) && typeof each.id === 'string' ? 1 : 0),
    0,
  )
}
