/**
 * Updates of a table with only one known text field: an update that does not send the field must not change it.
 *
 * @module
 */

import { expectEqual, isRejected } from '../../../harness/judging/expect.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { expectText } from './expect-text.ts'

/** Fields that are tried: enough for every type that a small table has. */
const mostFields = 6

/**
 * Sends an empty update, then an update of each other field that the server shows, and checks the title after each. A
 * rejected update shows nothing: the document does not say which values a field accepts.
 */
export async function expectTitleKept(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  const plain = table('plain')
  const given = unique('kept')
  const { id } = await make(plain, { title: given })
  const first = recordOf(await api.view(plain, id), 'a view of the created record')
  const isRenamed = !isRejected(await api.update(plain, id, { title: unique('renamed') }))
  const before = isRenamed ? recordOf(await api.view(plain, id), 'a view of the updated record') : first
  // Whether the title was changed is the finding of another check.
  const title = String(before.title ?? given)
  const counters = countersIn(first, before)
  const others = otherFields(before, unique('other')).filter((body) => !counters.some((name) => name in body))
  for (const sent of [{}, ...others]) {
    const response = await api.update(plain, id, sent)
    if (isRejected(response)) continue
    const after = await shownAfter(context, before, Object.keys(sent))
    if (after === undefined) continue
    const what = Object.keys(sent).join() || 'no field'
    expectText(after.title, title, `title after an update that sends ${what}`)
  }
  await expectOthersKept(context, others)
  await expectSetKept(context, counters)
}

/** Numbers that an update increases by one, such as `lock_version` in Rails. They are not judged: the server may count with them. */
function countersIn(before: WireRecord, after: WireRecord): string[] {
  return Object.entries(before)
    .filter(([field, value]) => typeof value === 'number' && after[field] === value + 1)
    .map(([field]) => field)
}

/**
 * The record after an update of fields of the server's own. Undefined if the update hides it, as one that makes it a draft
 * may: then the fields get back the values that they had.
 */
async function shownAfter(
  { api, table }: CheckContext,
  before: WireRecord,
  fields: readonly string[],
): Promise<WireRecord | undefined> {
  const plain = table('plain')
  const view = await api.view(plain, before.id)
  if (fields.length === 0 || !isRejected(view)) return recordOf(view, 'a view of the updated record')
  await api.update(plain, before.id, Object.fromEntries(fields.map((field) => [field, before[field]])))
  return undefined
}

/**
 * The same for the other fields that keep the value of a create. A server may change a field on its own, so a value is
 * expected to stay only if it was shown as it was sent.
 */
async function expectOthersKept(context: CheckContext, fields: readonly Body[]): Promise<void> {
  if (fields.length === 0) return
  const { api, table, unique } = context
  const plain = table('plain')
  const values: Body = Object.assign({}, ...fields)
  const created = await api.create(plain, { title: unique('others'), ...values })
  if (isRejected(created)) return
  const id = await createdIn(context, plain, created)
  const view = await api.view(plain, id)
  // One of the fields may hide the record.
  if (isRejected(view)) return
  const shown = recordOf(view, 'a view of the created record')
  const kept = Object.entries(values).filter(([field, value]) => shown[field] === value)
  for (const sent of [{}, { title: unique('renamed') }]) {
    if (isRejected(await api.update(plain, id, sent))) continue
    const after = recordOf(await api.view(plain, id), 'a view of the updated record')
    const what = Object.keys(sent).join() || 'no field'
    for (const [field, value] of kept)
      expectEqual(after[field], value, `${field} after an update that sends ${what}`)
  }
}

/**
 * The same for fields that an update sets, each alone: which values a field accepts is left open, and one of them may be
 * enough to reject all. A truth value is set to both, since one of them is what it has if nothing sets it.
 */
async function expectSetKept(context: CheckContext, counters: readonly string[]): Promise<void> {
  const { api, make, table, unique } = context
  const plain = table('plain')
  const { id } = await make(plain, { title: unique('set') })
  const shown = async () => recordOf(await api.view(plain, id), 'a view of the updated record')
  for (const isWanted of [() => true, (value: unknown) => typeof value === 'boolean']) {
    const kept: Body = {}
    const names = otherFields(await shown(), unique('other'))
      .flatMap((body) => Object.keys(body))
      .filter((name) => !counters.includes(name))
    for (const field of names) {
      const view = await api.view(plain, id)
      // A field may have hidden the record, and not be taken back.
      if (isRejected(view)) return
      const former = recordOf(view, 'a view of the updated record')
      const value = setValue(former[field], unique('other'))
      if (value === undefined || !isWanted(value)) continue
      if (isRejected(await api.update(plain, id, { [field]: value }))) continue
      const after = await shownAfter(context, former, [field])
      if (after?.[field] === value) kept[field] = value
    }
    // What another field has changed by itself is not kept.
    const before = await shown()
    const fields = Object.keys(kept).filter((field) => before[field] === kept[field])
    if (fields.length === 0) return
    for (const sent of [{}, { title: unique('renamed') }]) {
      if (isRejected(await api.update(plain, id, sent))) continue
      const after = await shown()
      const what = Object.keys(sent).join() || 'no field'
      for (const field of fields)
        expectEqual(after[field], kept[field], `${field}, set before, after an update that sends ${what}`)
    }
  }
}

/** Above this, a number may be a time, and become what a client has sent. */
const largest = 1e8

/** Another value. The next number is not one: a server may count the updates of a record. */
function setValue(value: unknown, text: string): string | number | boolean | undefined {
  if (typeof value === 'number') return Math.abs(value) < largest ? value + 2 : undefined
  return otherValue(value, text)
}

/** A body for each field of a simple type that the record shows, with another value. */
function otherFields(record: WireRecord, text: string): Body[] {
  const ours = new Set<string>(['title', ...commonFields])
  return Object.entries(record)
    .filter(([field]) => !ours.has(field))
    .flatMap(([field, value]) => {
      const other = otherValue(value, text)
      return other === undefined ? [] : [{ [field]: other }]
    })
    .slice(0, mostFields)
}

function otherValue(value: unknown, text: string): string | number | boolean | undefined {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return value === '' ? text : `${value} ${text}`
  return undefined
}
