/**
 * Finds out how a server reads the query of a list: its names for page and page size, and its syntax of filter and sort.
 * The document leaves all of this open. The form of the profile is tried first, then forms that other servers use.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { recordOfCreate } from '../cleanup/record-of-create.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { QueryPart, TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { formHint, namesForm, noForm, queryText } from '../wire/query-text.ts'
import { pageOf } from './page-of.ts'
import { queryForms } from './query-forms.ts'
import { type List, queryParts, type Row, type ShownPage } from './query-parts.ts'
import { requestSenderOf } from './send-request.ts'

/** What a trial of the forms of a query found out. */
export interface FoundForms {
  /** The forms that have an effect and are not the profile's. */
  own: Binding
  /** The parts for which no form has an effect. */
  silent: readonly QueryPart[]
}

/**
 * Finds out which forms of a query have an effect, and completes the binding of an explored target with them. Of any other
 * target only the form of the profile is tried, for the parts for which its binding has none of its own. Creates three records,
 * and deletes them. A claim says in which form a query has to have an effect: then nothing is tried.
 *
 * @param plain a table that takes records with one text
 * @returns undefined if nothing was tried
 */
export async function tryQuery(
  session: Wire & CleanUp & TargetFacts,
  plain: TableRef,
  unique: (prefix?: string) => string,
): Promise<FoundForms | undefined> {
  const explores = session.target.explored !== undefined
  // A form that the tester names is not replaced by another one.
  const open = queryParts.filter(({ what }) => !namesForm(session.target, what))
  if (open.length === 0 || (!explores && session.target.profile !== undefined)) return undefined
  const mark = session.cleanup.mark()
  try {
    const rows = await trialRows(session, plain, unique)
    if (rows === undefined) return undefined
    const field = plain.fields?.title ?? 'title'
    const list = lister(session, plain, field)
    const given = session.target.binding
    const own: Record<string, string> = {}
    const silent: QueryPart[] = []
    for (const { what, fits } of open) {
      let found: Binding | undefined
      let isUnclear = false
      for (const form of explores ? [{}, ...queryForms[what]] : [{}]) {
        const isFitting = await fits({ ...given, ...own, ...form }, { list, field, rows, silent })
        isUnclear ||= isFitting === undefined
        if (isFitting !== true) continue
        found = form
        break
      }
      // All records may be on one page: then the number makes no difference, unless the page size is not known either.
      const mayBeUsual = isUnclear && what === 'page number' && !silent.includes('page size')
      if (found !== undefined) Object.assign(own, found)
      else if (!mayBeUsual) silent.push(what)
    }
    const { target } = session
    session.target = {
      ...target,
      binding: { ...given, ...own },
      unknownForms: target.profile === undefined ? silent : [],
    }
    return { own, silent }
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/**
 * The same for an explored target without a table in which the forms can be tried: none of them is known then, but for those
 * that the tester names.
 */
export function leaveFormsUnknown(session: Wire): void {
  const { target } = session
  if (target.profile !== undefined) return
  const unknownForms = queryParts.map(({ what }) => what).filter((what) => !namesForm(target, what))
  session.target = { ...target, unknownForms }
}

/** What there is to say of the forms that a server takes, and of those without an effect. */
export function notesOfForms(trials: readonly (FoundForms | undefined)[]): string[] {
  const own: Binding = Object.assign({}, ...trials.map((trial) => trial?.own))
  const notes: string[] = []
  if (Object.keys(own).length > 0)
    notes.push(
      `lists take other parameters than those of the profile, and the run uses them: "binding": ${JSON.stringify(own)}`,
    )
  for (const part of trials.flatMap((trial) => trial?.silent ?? []))
    notes.push(`${noForm(part)}: if the server has another one, ${formHint(part)}`)
  return notes
}

/**
 * Their titles have another order than their creation, forwards and backwards: a server may read the direction of a form
 * that names the field otherwise, and apply it to the order of creation.
 */
async function trialRows(
  session: Wire & CleanUp,
  plain: TableRef,
  unique: (prefix?: string) => string,
): Promise<[Row, ...Row[]] | undefined> {
  const api = session.api('guest')
  const rows: Row[] = []
  for (const prefix of ['b-try', 'a-try', 'c-try']) {
    const title = unique(prefix)
    const response = await api.create(plain, { title })
    const record = response.ok ? await recordOfCreate(session, api, plain, response, { title }) : undefined
    if (record === undefined) return undefined
    rows.push({ id: record.id, title })
  }
  const [first, ...others] = rows
  return first && [first, ...others]
}

/** Many forms share a list, and none changes while the forms are tried: each list is requested once. */
function lister(session: Wire & CleanUp & TargetFacts, table: TableRef, field: string): List {
  const sendRequest = requestSenderOf(session)
  const path = makePaths(session.target.binding).records(table)
  const token = session.standIns.get(table.name)
  const known = new Map<string, Promise<ShownPage | undefined>>()

  async function shown(text: string): Promise<ShownPage | undefined> {
    const response = await sendRequest(path + text, { token, operation: 'listRecords' })
    const rows = pageOf(response)
      ?.filter(isObject)
      .map((item) => ({ id: String(item.id), title: String(item[field]) }))
    const { page, perPage } = isObject(response.body) ? response.body : {}
    return rows && { rows, page, perPage }
  }

  return (binding, query) => {
    const text = queryText(binding, query)
    const list = known.get(text) ?? shown(text)
    known.set(text, list)
    return list
  }
}
