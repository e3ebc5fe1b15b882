import { expectThat } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { overridesForm } from '../../../harness/wire/query-text.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { equals, fieldOf } from '../../shared/lists/shared-records.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'

/**
 * Filters by a number, a bool, and strings in which other languages see wildcards. Which values a filter takes is left open,
 * and what they stand for in a form of the target's own: only the form of the profile is judged, and only what it shows.
 * Not in `list.filter-narrows`, on which most checks of lists build.
 */
export async function expectNarrowsByOthers(context: CheckContext): Promise<void> {
  if (overridesForm(context.binding, 'filter')) return
  await expectNoWildcards(context)
  if (!context.hasTable('everything')) return
  await expectNarrowsByTyped(context)
  await expectDigitsCompared(context)
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

const number = 7_340_512

async function expectNarrowsByTyped(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  const everything = table('everything')
  const newRecord = async (body: { number: number; bool: boolean }) => {
    const record = await unlessPrevented(() => make(everything, { text: unique('typed') }))
    const taken = record && (await updateAsTaken(api, everything, record.id, body))
    return taken?.length === 2 ? record : undefined
  }
  const full = await newRecord({ number, bool: true })
  const empty = full && (await newRecord({ number: 0, bool: false }))
  if (full === undefined || empty === undefined) return
  for (const [field, value] of [
    ['number', number],
    ['bool', true],
  ] as const)
    expectNoStranger(
      await shown(context, everything, field, String(value)),
      (item) => typeof item[field] !== typeof value || item[field] === value,
      `${field} = ${value}`,
    )
  await expectNarrowsByNone(context, full, empty)
}

/**
 * A server may take `false` or 0 for an absent condition. How conditions are joined is left open: judged where they are as
 * in the profile.
 *
 * @param full whose number and bool are neither 0 nor false
 * @param empty whose number is 0, and whose bool is false
 */
async function expectNarrowsByNone(
  context: CheckContext,
  full: WireRecord,
  empty: WireRecord,
): Promise<void> {
  const everything = context.table('everything')
  const finds = async ({ id }: WireRecord, condition: string) => {
    const items = await listed(
      context,
      everything,
      `${equals(context, everything, 'id', id)} && ${condition}`,
    )
    return items.some((item) => item.id === id)
  }
  for (const [field, value, none] of [
    ['number', number, 0],
    ['bool', true, false],
  ] as const) {
    const condition = (wanted: unknown) => `${fieldOf(everything, field)} = ${wanted}`
    if (!(await finds(full, condition(value))) || (await finds(empty, condition(value)))) continue
    expectThat(
      !(await finds(full, condition(none))),
      `a list with ${condition(none)} contains a record whose ${field} is ${value}`,
      'only matching records',
      full.id,
    )
  }
}

/** Strings of digits are compared as strings: zeros at the front count. */
async function expectDigitsCompared(context: CheckContext): Promise<void> {
  const { api, make, mayExist, table, unique } = context
  if (!mayExist('viewRecord')) return
  const everything = table('everything')
  const text = `00${number}`
  const record = await unlessPrevented(() => make(everything, { editor: unique('digits') }))
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
