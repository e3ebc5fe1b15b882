/**
 * Valid requests for records and batches, each about records of its own, and what a rejected one must leave as it was.
 *
 * @module
 */

import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Api, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { operation } from '../../../spec/openapi.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { subRequests } from '../batch/entries.ts'
import { equals, fieldOf } from '../lists/shared-records.ts'
import { listOf } from '../records/record-of.ts'
import type { DerivedCase } from './case.ts'
import type { Ground } from './derived-property.ts'
import type { Draft } from './draft.ts'

type RecordOperation = 'listRecords' | 'viewRecord' | 'createRecord' | 'updateRecord' | 'deleteRecord'

/** What writes of a record send besides the field that a case is about: strings by which they are found. */
const marksOf: Readonly<Record<string, (unique: CheckContext['unique']) => Body>> = {
  plain: (unique) => ({ title: unique('title') }),
  everything: (unique) => ({ text: unique('text'), editor: unique('editor') }),
  constrained: (unique) => ({ auto: unique('auto'), notdomain: `${unique('d')}@example.com` }),
}

/** A draft of the operation without anything in it. */
export function draftOf(id: OperationId, path: Draft['path'], body?: Body): Draft {
  const { method, path: template } = operation(id)
  return {
    operation: id,
    method,
    template,
    path,
    query: [],
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
    encoding: 'application/json',
  }
}

/** Who sees most. */
function reader({ api, knows }: CheckContext): Api {
  return knows('superuser') ? api.as('superuser') : api
}

/** Cases that the target has the tables for. */
export function askable({ hasTable }: CheckContext, cases: readonly DerivedCase[]): DerivedCase[] {
  return cases.filter(({ role }) => role === undefined || hasTable(role))
}

export async function recordGround(
  context: CheckContext,
  id: RecordOperation,
  role = 'plain',
): Promise<Ground> {
  const { make, unique } = context
  const table = context.table(role)
  const marks = marksOf[role]?.(unique) ?? {}
  const shared = { as: context.api, table, secrets: [] }
  if (id === 'listRecords') return { ...shared, draft: draftOf(id, { table: table.name }) }
  if (id === 'createRecord')
    return {
      ...shared,
      draft: draftOf(id, { table: table.name }, marks),
      once: true,
      unchanged: (derived, what) => expectNone(context, table, otherMark(marks, derived), what),
    }
  const record = await make(table, marks)
  const path = { table: table.name, id: record.id }
  if (id === 'viewRecord') return { ...shared, draft: draftOf(id, path) }
  if (id === 'deleteRecord')
    return {
      ...shared,
      draft: draftOf(id, path),
      unchanged: (_, what) => expectSame(context, table, record, Object.keys(marks), what),
    }
  const changed = marksOf[role]?.(unique) ?? {}
  return {
    ...shared,
    draft: draftOf(id, path, changed),
    once: true,
    unchanged: (_, what) => expectSame(context, table, record, Object.keys(marks), what),
  }
}

/** A create, and an update of a record, on which the cases are. */
export async function batchGround(context: CheckContext): Promise<Ground> {
  const { api, make, unique } = context
  const table = context.table('plain')
  const title = fieldOf(table, 'title')
  const record = await make(table, { title: unique('title') })
  const created = unique('created')
  const { create, update } = subRequests(api)
  const requests = [
    create(table, { [title]: created }),
    update(table, record.id, { [title]: unique('changed') }),
  ]
  return {
    as: api,
    secrets: [],
    draft: draftOf('batch', {}, { requests }),
    once: true,
    async unchanged(_, what) {
      await expectNone(context, table, { title: created }, what)
      await expectSame(context, table, record, ['title'], what)
    },
  }
}

/** A string of a create that the case has not changed. */
function otherMark(marks: Body, { name }: DerivedCase): Body {
  return Object.fromEntries(
    Object.entries(marks)
      .filter(([field]) => field !== name)
      .slice(0, 1),
  )
}

/** There is no record with the value. */
async function expectNone(context: CheckContext, table: TableRef, mark: Body, what: string): Promise<void> {
  const [[field, value] = ['', '']] = Object.entries(mark)
  const filter = equals(context, table, field, String(value))
  const { items } = listOf(await reader(context).list(table, { filter }), 'a list after it')
  const found = items.filter((item) => item[field] === value)
  expectEqual(found.length, 0, `the number of records that ${what} created`)
}

/** The record is there, and has these fields as before. */
async function expectSame(
  context: CheckContext,
  table: TableRef,
  record: WireRecord,
  fields: readonly string[],
  what: string,
): Promise<void> {
  const { ok, body } = await reader(context).view(table, record.id)
  const kept = (from: unknown) => fields.map((field) => (from as Body | undefined)?.[field])
  expectEqual(ok ? kept(body) : 'no record', kept(record), `what is left after ${what}: ${fields.join(', ')}`)
}
