import { isDeepStrictEqual } from 'node:util'
import { expectThat } from '../../../harness/judging/expect.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { overridesForm, takesWholeValue } from '../../../harness/wire/query-text.ts'
import type { Binding } from '../../../spec/vocabulary.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals, fieldOf, idsOf } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'

/**
 * Filters by a number, a bool, an email, a date and a relation, and by strings in which other languages see wildcards. Which
 * values a filter takes is left open, and what they stand for in a form of the target's own: only the form of the profile is
 * judged, and conditions that are parameters of their own, and only what the list shows. Not in `list.filter-narrows`, on
 * which most checks of lists build.
 */
export async function expectNarrowsByOthers(context: CheckContext): Promise<void> {
  const isUsual = !overridesForm(context.binding, 'filter')
  const isCondition = isUsual || namesCondition(context.binding)
  if (isUsual) await expectNoWildcards(context)
  if (isCondition) await expectNarrowsByRelation(context)
  if (!context.hasTable('everything')) return
  if (isCondition || takesWholeValue(context.binding)) await expectNarrowsByTyped(context, isCondition)
  if (isUsual) await expectDigitsCompared(context)
}

/** Whether a parameter is always a condition. One with only the name of a field may be none: the target may ignore it. */
function namesCondition(binding: Binding): boolean {
  return takesWholeValue(binding) && !binding['filter.equals']?.startsWith('{field}=')
}

/** The records that a list with one condition shows. None where it is rejected. */
async function shown(
  context: CheckContext,
  table: TableRef,
  field: string,
  value: string,
): Promise<WireRecord[]> {
  return listed(context, table, equals(context, table, field, value))
}

async function listed({ api }: CheckContext, table: TableRef, filter: string): Promise<WireRecord[]> {
  return (await unlessPrevented(async () => itemsOf(await api.list(table, { filter })))) ?? []
}

async function expectNoWildcards(context: CheckContext): Promise<void> {
  const { makeMany, table, unique } = context
  const plain = table('plain')
  const mark = unique('sign')
  const signs = ['%', '_'].map((sign) => `${mark}-${sign}-end`)
  await unlessPrevented(() =>
    makeMany(
      plain,
      [...signs, `${mark}-x-end`].map((title) => ({ title })),
    ),
  )
  for (const title of signs)
    expectNoStranger(
      await shown(context, plain, 'title', title),
      (item) => typeof item.title !== 'string' || item.title === title || !item.title.startsWith(mark),
      `title = ${title}`,
    )
}

interface Condition {
  table: TableRef
  field: string
  value: string
  /** A value that another record has. */
  other: string
}

/**
 * A list with a condition contains no record that does not match. By which fields a list can be filtered is left open: a
 * parameter that is a condition in other lists may be unknown here, and the list is then the same for every value.
 */
async function expectNarrowed(
  context: CheckContext,
  { table, field, value, other }: Condition,
  matches: (item: WireRecord) => boolean,
): Promise<void> {
  const items = await shown(context, table, field, value)
  if (items.every(matches)) return
  if (overridesForm(context.binding, 'filter')) {
    const others = await shown(context, table, field, other)
    if (isDeepStrictEqual(idsOf(others), idsOf(items))) return
  }
  expectNoStranger(items, matches, `${fieldOf(table, field)} = ${value}`)
}

async function expectNarrowsByRelation(context: CheckContext): Promise<void> {
  const { makeMany, unique } = context
  const family = await unlessPrevented(async () => {
    const { child, parent } = relationOf(context)
    const parents = await makeMany(parent, [{ name: unique('parent') }, { name: unique('parent') }])
    const bodies = parents.map(({ id }) => ({ name: unique('child'), parent: id }))
    return { child, parents, children: await makeMany(child, bodies) }
  })
  if (family === undefined) return
  const { child, parents, children } = family
  const [id] = idsOf(parents)
  if (id === undefined || !children.every((record, at) => record.parent === parents[at]?.id)) return
  await expectNarrowed(
    context,
    { table: child, field: 'parent', value: id, other: String(parents[1]?.id) },
    (item) => typeof item.parent !== 'string' || item.parent.toLowerCase() === id.toLowerCase(),
  )
}

const number = 7_340_512

/** A year in which no other date of a run is. */
const year = '2031'

/** @param isCondition whether every parameter is one. Otherwise only those are judged that have an effect */
async function expectNarrowsByTyped(context: CheckContext, isCondition: boolean): Promise<void> {
  const { unique } = context
  const text = unique('typed')
  const [name, other] = [unique('one'), unique('other')]
  const full = await withValues(context, text, {
    number,
    bool: true,
    email: `${name}@${name}.example.com`,
    date: `${year}-03-04 05:06:07.089Z`,
  })
  const empty = await withValues(context, unique('typed'), {
    number: 0,
    bool: false,
    email: `${other}@${other}.example.com`,
    date: '1999-08-09 10:11:12.013Z',
  })
  if (full === undefined || empty === undefined) return
  if (isCondition) await expectNarrowedByValues(context, full, empty, [name, year])
  await expectNarrowsByNone(context, full, empty, isCondition)
}

/** @param parts of the email and of the date of `full`, and of no others */
async function expectNarrowedByValues(
  context: CheckContext,
  full: WireRecord,
  empty: WireRecord,
  [name, day]: readonly [string, string],
): Promise<void> {
  const everything = context.table('everything')
  for (const [field, value] of [
    ['number', number],
    ['bool', true],
  ] as const) {
    if (full[field] !== value || empty[field] === value) continue
    await expectNarrowed(
      context,
      { table: everything, field, value: String(value), other: String(empty[field]) },
      (item) => typeof item[field] !== typeof value || item[field] === value,
    )
  }
  // In which form they are shown is left open, and which others a filter finds: of the same host or day.
  for (const [field, part] of [
    ['email', name],
    ['date', day],
  ] as const) {
    const value = full[field]
    const isAlike = (each: unknown) =>
      typeof each !== 'string' || each.toLowerCase().includes(part.toLowerCase())
    if (typeof value !== 'string' || !isAlike(value) || isAlike(empty[field])) continue
    const condition = { table: everything, field, value, other: String(empty[field]) }
    await expectNarrowed(context, condition, (item) => isAlike(item[field]))
  }
}

/** A record as a view shows it. Undefined if the target takes none of the values. */
async function withValues(
  { api, make, mayExist, table }: CheckContext,
  text: string,
  values: Body,
): Promise<WireRecord | undefined> {
  if (!mayExist('viewRecord')) return undefined
  const everything = table('everything')
  const record = await unlessPrevented(() => make(everything, { text }))
  if (record === undefined || (await updateAsTaken(api, everything, record.id, values)).length === 0)
    return undefined
  const view = await api.view(everything, record.id)
  return view.ok ? recordOf(view) : undefined
}

/**
 * A server may take `false` or 0 for an absent condition, overlook a minus sign, or find a record that has no value by any
 * value. How conditions are joined is left open: judged where they are as in the profile, or where two parameters count
 * both.
 *
 * @param full whose number and bool are neither 0 nor false
 * @param empty whose number is 0, and whose bool is false
 * @param isCondition whether every parameter is one: then 0 and false are, too
 */
async function expectNarrowsByNone(
  context: CheckContext,
  full: WireRecord,
  empty: WireRecord,
  isCondition: boolean,
): Promise<void> {
  const { api, make, table, unique } = context
  const everything = table('everything')
  const without = await unlessPrevented(async () => {
    const { id } = await make(everything, { text: unique('without') })
    return recordOf(await api.view(everything, id))
  })
  const isUsual = !overridesForm(context.binding, 'filter')
  const conditionOn = (field: string, wanted: unknown) =>
    isUsual ? `${fieldOf(everything, field)} = ${wanted}` : equals(context, everything, field, String(wanted))
  const finds = async ({ id, text }: WireRecord, condition: string) => {
    const own = equals(context, everything, 'text', String(text))
    const items = await listed(context, everything, [own, condition].join(isUsual ? ' && ' : '&'))
    return items.some((item) => item.id === id)
  }
  for (const [field, value, others] of [
    ['number', number, [0, -number]],
    ['bool', true, [false]],
  ] as const) {
    if (full[field] !== value || empty[field] === value) continue
    const known = conditionOn(field, value)
    if (!(await finds(full, known)) || (await finds(empty, known))) continue
    expectThat(
      without?.[field] === value || without === undefined || !(await finds(without, known)),
      `a list with ${known} contains a record that was created without ${field}`,
      'only matching records',
      without?.id,
    )
    for (const other of isCondition ? others : []) {
      const condition = conditionOn(field, other)
      expectThat(
        !(await finds(full, condition)),
        `a list with ${condition} contains a record whose ${field} is ${value}`,
        'only matching records',
        full.id,
      )
    }
  }
}

/** Strings of digits are compared as strings: zeros at the front count. */
async function expectDigitsCompared(context: CheckContext): Promise<void> {
  const { api, make, mayExist, table, unique } = context
  if (!mayExist('viewRecord')) return
  const everything = table('everything')
  const text = `00${number}`
  const record = await unlessPrevented(() =>
    make(everything, { text: unique('digits'), editor: unique('digits') }),
  )
  if (record === undefined || !(await api.update(everything, record.id, { text })).ok) return
  const view = await api.view(everything, record.id)
  if (!view.ok || recordOf(view).text !== text) return
  expectNoStranger(
    await shown(context, everything, 'text', String(number)),
    (item) => item.id !== record.id,
    `text = ${number}`,
  )
}

function expectNoStranger(
  items: readonly WireRecord[],
  matches: (item: WireRecord) => boolean,
  filter: string,
): void {
  const stranger = items.find((item) => !matches(item))
  expectThat(
    stranger === undefined,
    `a list with ${filter} contains a record that does not match`,
    'only matching records',
    stranger,
  )
}
