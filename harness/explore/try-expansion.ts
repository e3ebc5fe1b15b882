/**
 * Finds out in which form a server takes an expansion: the document leaves it open. The form of the profile is tried first,
 * then forms that other servers use.
 *
 * @module
 */

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
    // A server may include related records without a request.
    if ((await shown(undefined)) !== 'alone') return undefined
    for (const form of explores ? [{}, ...expansionForms(field('parent'))] : [{}]) {
      if ((await shown(form)) !== 'expanded') continue
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

/** Whether a list shows the record, and the one that it refers to. Undefined if it does not: it may be on another page. */
async function show(
  session: Wire & TargetFacts,
  child: TableRef,
  query: string,
  names: Names,
): Promise<'alone' | 'expanded' | undefined> {
  const path = makePaths(session.target.binding).records(child)
  const token = session.standIns.get(child.name)
  const response = await requestSenderOf(session)(path + query, { token })
  if (pageOf(response) === undefined || !response.text.includes(names.child)) return undefined
  return response.text.includes(names.parent) ? 'expanded' : 'alone'
}
