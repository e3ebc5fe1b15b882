import { isObject } from '../../../exchange/json-object.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { type OwnField, ownFields } from '../records/own-fields.ts'

type Value = string | number | boolean

/** Fields that are tried until one of them is a client's: the others may be what a server adds to a view. */
const mostTried = 3

/**
 * An item has the same value as a view in fields of the table that the suite does not know. A field counts as one of the
 * table only if an update sets it: a server may add others to a view, and may leave out the ones that are not set.
 */
export async function expectOwnAsViewed(context: CheckContext): Promise<void> {
  const { api, make, mayExist, table, unique } = context
  if (!mayExist('updateRecord')) return
  const plain = table('plain')
  const title = unique('own')
  const made = await unlessPrevented(() => make(plain, { title }))
  if (made === undefined) return
  const { id } = made
  const viewed = async (): Promise<WireRecord | undefined> => {
    const { ok, body } = await api.view(plain, id)
    return ok && isObject(body) ? (body as WireRecord) : undefined
  }
  const listed = async () =>
    (await unlessPrevented(() => recordsWith(context, plain, 'title', title)))?.find((item) => item.id === id)
  const [view, item] = [await viewed(), await listed()]
  if (view === undefined || item === undefined) return
  const differing = ownFields(plain, view, (value) => otherThan(context, value) !== undefined).filter(
    ({ shown }) => item[shown] !== view[shown],
  )
  for (const field of differing.slice(0, mostTried)) {
    const value = otherThan(context, view[field.shown])
    if (value === undefined) continue
    const { ok } = await api.update(plain, id, { [field.sent]: value })
    if (ok) await expectAsViewed(field, value, viewed, listed)
    // A record with the new value may be hidden.
    await api.update(plain, id, { [field.sent]: view[field.shown] })
  }
}

/** A reading may count, so the view shows the value before and after the list. */
async function expectAsViewed(
  { shown }: OwnField,
  value: Value,
  viewed: () => Promise<WireRecord | undefined>,
  listed: () => Promise<WireRecord | undefined>,
): Promise<void> {
  if ((await viewed())?.[shown] !== value) return
  const item = await listed()
  if (item === undefined || (await viewed())?.[shown] !== value) return
  expectEqual(item[shown], value, `${shown} of an item, which an update has set and a view shows,`)
}

/** Another value of the same type. */
function otherThan({ unique }: CheckContext, value: unknown): Value | undefined {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value === 3 ? 4 : 3
  return typeof value === 'string' || value === null ? unique('own') : undefined
}
