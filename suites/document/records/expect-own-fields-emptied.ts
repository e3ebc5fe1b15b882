import { isObject } from '../../../exchange/json-object.ts'
import { expectThat } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { type OwnField, ownFields } from './own-fields.ts'

type Value = string | number | boolean

/** Fields of one type: what a new record may show there, and what is sent. */
interface OwnType {
  isUnset: (value: unknown) => boolean
  full: (context: CheckContext) => Value
  empty: Value
}

const types: readonly OwnType[] = [
  { isUnset: (value) => value === false, full: () => true, empty: false },
  { isUnset: (value) => typeof value === 'number' && value !== 3, full: () => 3, empty: 0 },
  { isUnset: (value) => value === '', full: ({ unique }) => unique('own'), empty: '' },
]

/** Fields of one type that are tried until one of them is a client's: the others may be the server's own. */
const mostTried = 2

/**
 * An update to false, zero or an empty string replaces the value of fields that the suite does not know. A field counts as
 * one that clients change only if an update from another value was accepted and is shown: all others may be the server's own. That
 * an update is rejected, or that the empty value is shown in another form, is left open.
 */
export async function expectOwnFieldsEmptied(context: CheckContext): Promise<void> {
  const { make, table, unique } = context
  const { id } = await make(table('plain'), { title: unique('own') })
  const record = await viewed(context, id)
  if (record === undefined) return
  for (const type of types) {
    const fields = ownFields(table('plain'), record, type.isUnset)
    for (const field of fields.slice(0, mostTried)) if (await empties(context, id, field, type)) break
    if (type.empty === false && fields.length === 0) await emptiesDefault(context, record, type)
  }
}

/** The same for a field that is true by default: a record that is created with false shows that clients set it. */
async function emptiesDefault(context: CheckContext, record: WireRecord, type: OwnType): Promise<void> {
  const { make, table, unique } = context
  const [field] = ownFields(table('plain'), record, (value) => value === true)
  if (field === undefined) return
  const made = await unlessPrevented(() =>
    make(table('plain'), { title: unique('own'), [field.sent]: type.empty }),
  )
  if (made === undefined) return
  const shown = await viewed(context, made.id)
  if (shown?.[field.shown] === type.empty) await empties(context, made.id, field, type)
}

/** @returns whether the field is one that clients change */
async function empties(
  context: CheckContext,
  id: string,
  { sent, shown }: OwnField,
  { full, empty }: OwnType,
): Promise<boolean> {
  const { api, table } = context
  const isAccepted = async (value: Value) => (await api.update(table('plain'), id, { [sent]: value })).ok
  const becomes = async (value: Value) =>
    (await isAccepted(value)) && (await viewed(context, id))?.[shown] === value
  const stays = async (value: Value) =>
    (await isAccepted(empty)) && (await viewed(context, id))?.[shown] === value
  const former = full(context)
  if (!(await becomes(former))) {
    // A record with this value may be hidden.
    if ((await viewed(context, id)) === undefined) await isAccepted(empty)
    return false
  }
  if (!(await stays(former))) return true
  // A value that never changes again, or never becomes lower, may be a rule of the table.
  const other = typeof former === 'number' ? former - 1 : full(context)
  expectThat(
    other !== former && !((await becomes(other)) && (await stays(other))),
    `${sent} still has its former value after an update that sends ${JSON.stringify(empty)}`,
    JSON.stringify(empty),
    other,
  )
  return true
}

/** Other checks judge whether a record can be viewed. */
async function viewed({ api, table }: CheckContext, id: string): Promise<WireRecord | undefined> {
  const { ok, body } = await api.view(table('plain'), id)
  return ok && isObject(body) ? (body as WireRecord) : undefined
}
