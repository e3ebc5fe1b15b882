/**
 * Valid requests for records and batches, each about records of its own, and what a rejected one must leave as it was.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { BlockedError, expectEqual } from '../../../harness/judging/expect.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { operation } from '../../../spec/openapi.ts'
import { definedFieldsOf } from '../../../spec/tables.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { ablest } from '../auth/ablest.ts'
import { subRequests } from '../batch/entries.ts'
import { fieldOf, recordsWith } from '../lists/shared-records.ts'
import { requiredValues } from '../records/required-values.ts'
import type { DerivedCase } from './case.ts'
import type { ValidRequest } from './derived-property.ts'
import type { Draft } from './draft.ts'

type RecordOperation = 'listRecords' | 'viewRecord' | 'createRecord' | 'updateRecord' | 'deleteRecord'

/** What writes of a record send in addition to the field that a case is about: strings by which they are found. */
const marksOf: Readonly<Record<string, (unique: CheckContext['unique']) => Body>> = {
  plain: (unique) => ({ title: unique('title') }),
  everything: (unique) => ({ text: unique('text'), editor: unique('editor') }),
  constrained: (unique) => ({ auto: unique('auto'), notdomain: `${unique('d')}@example.com` }),
}

/** The marks of a table. One that is mapped may lack all fields but the first, unless the target file maps them. */
function marksFor({ role, fields, existing }: TableRef, unique: CheckContext['unique']): Body {
  const marks = Object.entries(marksOf[role]?.(unique) ?? {})
  return Object.fromEntries(
    marks.filter(([field], at) => at === 0 || existing !== true || fields?.[field] !== undefined),
  )
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
    body,
    encoding: 'application/json',
  }
}

/** Cases that the target has the tables for. */
export function withTables({ hasTable }: CheckContext, cases: readonly DerivedCase[]): DerivedCase[] {
  return cases.filter(({ role }) => role === undefined || hasTable(role))
}

export async function validRecordRequest(
  context: CheckContext,
  id: RecordOperation,
  role = 'plain',
): Promise<ValidRequest> {
  const { make, unique } = context
  const table = context.table(role)
  const marks = marksFor(table, unique)
  const shared = { as: context.api, table, secrets: [] }
  if (id === 'listRecords') return { ...shared, draft: draftOf(id, { table: table.name }) }
  const other = await bystander(context, table)
  if (id === 'createRecord')
    return {
      ...shared,
      draft: draftOf(id, { table: table.name }, marks),
      renewEachTime: true,
      async unchanged(derived, what) {
        await expectNone(context, table, otherMark(marks, derived), what)
        await expectSame(context, table, other, what)
      },
    }
  const record = await make(table, marks)
  const path = { table: table.name, id: record.id }
  if (id === 'viewRecord') return { ...shared, draft: draftOf(id, path) }
  const before = await seen(context, table, record)
  const unchanged: ValidRequest['unchanged'] = async (_, what) => {
    await expectSame(context, table, before, what)
    await expectSame(context, table, other, what)
  }
  if (id === 'deleteRecord') return { ...shared, draft: draftOf(id, path), unchanged }
  const changed = marksFor(table, unique)
  return { ...shared, draft: draftOf(id, path, changed), renewEachTime: true, unchanged }
}

/** A create, and an update of a record, on which the cases are. */
export async function validBatchRequest(context: CheckContext): Promise<ValidRequest> {
  const { api, make, unique } = context
  const table = context.table('plain')
  const title = fieldOf(table, 'title')
  const record = await make(table, { title: unique('title') })
  const before = await seen(context, table, record)
  const other = await bystander(context, table)
  const created = unique('created')
  const { create, update } = subRequests(api)
  const requests = [
    create(table, { ...requiredValues(context, table), [title]: created }),
    update(table, record.id, { [title]: unique('changed') }),
  ]
  return {
    as: api,
    secrets: [],
    draft: draftOf('batch', {}, { requests }),
    renewEachTime: true,
    async unchanged(_, what) {
      await expectNone(context, table, { title: created }, what)
      await expectSame(context, table, before, what)
      await expectSame(context, table, other, what)
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
  const [[field, value] = []] = Object.entries(mark)
  if (field === undefined) return
  const items = await recordsWith(context, table, field, String(value), ablest(context))
  const found = items.filter((item) => item[field] === value)
  expectEqual(found.length, 0, `the number of records that ${what} created`)
}

/** A record of the table that no request is about, as it was at first. */
function bystander(context: CheckContext, table: TableRef): Promise<Seen> {
  return context.once(`derived: a bystander in ${table.role}`, async () =>
    seen(context, table, await context.make(table, marksFor(table, context.unique))),
  )
}

/** A record with the fields of its table, by their names in the suite. A server may show more, which may change. */
interface Seen {
  id: string
  fields: Body
}

async function seen(context: CheckContext, table: TableRef, { id }: Pick<WireRecord, 'id'>): Promise<Seen> {
  const { ok, body } = await ablest(context).view(table, id)
  if (!ok || !isObject(body))
    throw new BlockedError(`a record that was just created could not be viewed: ${id}`)
  return { id, fields: ownFieldsOf(table, body) }
}

function ownFieldsOf({ role }: TableRef, record: Body): Body {
  const names = [...commonFields, ...definedFieldsOf(role).map(({ name }) => name)]
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]))
}

/** The record exists, and its fields have not changed. */
async function expectSame(
  context: CheckContext,
  table: TableRef,
  { id, fields }: Seen,
  what: string,
): Promise<void> {
  const { ok, body } = await ablest(context).view(table, id)
  const now = ok && isObject(body) ? ownFieldsOf(table, body) : 'no record'
  expectEqual(now, fields, `the record ${id} after ${what}`)
}
