import { isObject } from '../../../exchange/json-object.ts'
import { expectThat } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { loadRoles } from '../../../spec/tables.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

type Value = string | number | boolean

/** A field that the server's own table has in addition, by its name in requests and in responses. */
interface OwnField {
  sent: string
  shown: string
}

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

/** Names that the document or the suite gives a meaning. */
const known = new Set([
  ...['id', 'collectionId', 'collectionName', 'created', 'updated', 'email', 'verified', 'expand'],
  ...loadRoles().flatMap(({ definition: { fields = [] } }) => fields.map(({ name }) => name)),
])
/** What may decide who can reach the record, and so whether the run can delete it. */
const risky =
  /pass|secret|token|key|role|admin|owner|author|user|account|member|tenant|delet|remov|trash|archiv|hid|lock|expir|read.?only|frozen|version|revision|(^_)/i

/**
 * The fields of a record that neither the document, nor the suite, nor the target file gives a meaning, and whose value
 * satisfies the condition. A field that has a name of ours by coincidence is shown with a remark (`target/mapped-table.ts`).
 */
function ownFields(
  { table }: CheckContext,
  record: WireRecord,
  isMeant: (value: unknown) => boolean,
): OwnField[] {
  const { fields = {} } = table('plain')
  return Object.entries(record).flatMap(([shown, value]) => {
    const sent = shown.replace(/ \(unmapped\)$/, '')
    const isOurs = Object.hasOwn(fields, sent) || (sent === shown && known.has(sent))
    return isOurs || risky.test(sent) || !isMeant(value) ? [] : [{ sent, shown }]
  })
}

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
    const fields = ownFields(context, record, type.isUnset)
    for (const field of fields.slice(0, mostTried)) if (await empties(context, id, field, type)) break
    if (type.empty === false && fields.length === 0) await emptiesDefault(context, record, type)
  }
}

/** The same for a field that is true by default: a record that is created with false shows that clients set it. */
async function emptiesDefault(context: CheckContext, record: WireRecord, type: OwnType): Promise<void> {
  const { make, table, unique } = context
  const [field] = ownFields(context, record, (value) => value === true)
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
