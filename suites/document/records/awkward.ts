/**
 * Values that are rarely generated at random: zero after another value, awkward ones, those at the bounds of numbers, and
 * long ones. Which of them a server rejects is left open; those that it accepts are read back.
 *
 * @module
 */

import { BrokenConnectionError, expectThat, isRejected } from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { isAboutBody } from '../../../spec/status-range.ts'
import { equals } from '../../shared/lists/shared-records.ts'
import { uploads } from '../../shared/records/forms.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { samples, zeros } from '../../shared/records/samples.ts'
import { expectNone } from './commands.ts'
import { sameShown } from './same-value.ts'
import { differsAfterUpdate, differsElsewhere, differsFromBody } from './table-model.ts'
import { lackingFields, unshownFields } from './unknown-fields.ts'
import { updateAsTaken } from './update-as-taken.ts'
import { withoutFields } from './values-of.ts'

/** Without files, which JSON cannot set, and passwords, which are not shown. The text fields identify the record. */
const tried = ({ text, editor, password, file, files, ...others }: Body): Body => others

/** A value of each field that is not its zero. */
export function filled(relatedId: string | undefined): Body {
  const { relation: _, ...others } = tried(samples(''))
  const related = relatedId === undefined ? {} : { relation: relatedId, relations: [relatedId] }
  return { ...others, selects: ['a', 'c'], ...related }
}

/** The zero of each of these fields. */
export const emptied: Body = { ...tried(zeros()), json: [] }

/** Strings that could be read as something else, and numbers so large that the next one is equal. */
export const awkward: readonly Body[] = [
  { text: '"quotes" \\and\\ `ticks`, 100% _of_ them', number: 2 ** 53 - 1 },
  {
    text: "Robert'); DROP TABLE students;--",
    number: -(2 ** 53) + 1,
    json: { d: [], a: 0, c: '', b: false, e: null },
  },
  { text: '👩‍👩‍👧‍👦 🇨🇭 naïve 漢字 שלום', number: 2 ** 53, json: [2 ** 53 - 1, [], {}, ''] },
  { text: 'null', number: 2 ** 31, json: 0 },
  { text: '0', number: 2 ** 32 + 1, json: false },
  { text: '-0.5', number: -0.5, email: 'first.last+tag@example.com', geo: { lon: -73.98566, lat: 40.74844 } },
  { text: '007', date: '2024-02-29 23:59:59.000Z' },
  { text: 'true' },
  { text: '2024-05-06', json: { 0: 'a' } },
  { text: '2024-05-06T07:08:09+02:00' },
  { text: '{"a":1}', json: { 0: 'a', 1: 'b' } },
  { text: '1+1=2, 100%20 {{name}} \u2028 end' },
  { text: "Q&amp;A, it\\'s &quot;\x24{HOME}&quot;" },
  { text: '\\\\server\\share//path $HOME 2024' },
  // More than 4,000 characters, and fewer than 5,000: both are usual limits.
  { text: 'long '.repeat(960), number: -(2 ** 31) - 1, json: ['long '.repeat(800)] },
]

/** Values that a server might truncate. Line breaks may be stored as fewer characters. */
export const easilyCut: Body = {
  text: 'one line\r\nanother one\nand a third',
  number: 1.5,
  date: '1955-11-05 06:15:00.000Z',
  json: { a: { b: [{ c: { d: [{ e: 'deep' }] } }] } },
  geo: { lon: 8.54693, lat: -47.37389 },
}

/**
 * Each field is set back to its zero after another value. The text fields take turns, since one says whose record it
 * is: without a value in the other one, none is set back.
 */
export async function expectZeroed(context: CheckContext, relatedId?: string): Promise<void> {
  const { api, make, unique } = context
  const table = context.table('everything')
  const { id } = await make(table, { text: unique('zero') })
  const editor = `<p>${unique('zero')}</p>`
  const taken = await updateAsTaken(api, table, id, { ...filled(relatedId), editor })
  const zero = relatedId === undefined ? withoutFields(emptied, ['relation', 'relations']) : emptied
  const changes: Body[] = taken.includes('editor')
    ? [
        { ...zero, text: '' },
        { text: unique('zero'), editor: '' },
      ]
    : [zero]
  for (const body of changes) await expectTaken(context, id, body, 'set back to a zero value')
}

/** @param relatedIds more than a few */
export async function expectAwkward(context: CheckContext, relatedIds: readonly string[]): Promise<void> {
  const everything = context.table('everything')
  const mark = context.unique('awkward')
  const lacksEditor = (await unshownFields(context)).includes('editor')
  // One of the text fields says whose the record is: the editor stays. The only one is written with the mark in front.
  const { id } = await context.make(everything, { text: mark, ...(!lacksEditor && { editor: mark }) })
  const filter = lacksEditor
    ? equals(context, everything, 'id', id)
    : equals(context, everything, 'editor', mark)
  const long: Body = {
    json: Array.from({ length: 40 }, (_, at) => at),
    ...(relatedIds.length > 0 && { relations: relatedIds }),
  }
  for (const body of [...awkward, easilyCut, long]) {
    const sent = lacksEditor ? markedText(body, mark) : withoutFields(body, ['editor'])
    const taken = await expectTaken(context, id, sent, 'after an unusual value')
    const list = await context.api.list(everything, { filter })
    // Whether the filter finds it is the finding of another check.
    const item = list.ok ? listOf(list).items.find((each) => each.id === id) : undefined
    if (item !== undefined) expectNone(differsFromBody(item, taken), 'in a list, after an unusual value')
  }
  await expectWholeAfterNul(context, id)
}

/** The same values, with the mark in front of the string. */
function markedText({ text, ...others }: Body, mark: string): Body {
  return text === undefined ? others : { ...others, text: `${mark} ${text}` }
}

/** A character 0 may be dropped, or be replaced by another one, but what is behind it is a part of the string. */
async function expectWholeAfterNul({ api, table, unique }: CheckContext, id: string): Promise<void> {
  const everything = table('everything')
  const [before, after] = [unique('before'), unique('after')]
  if (!(await api.update(everything, id, { text: `${before}\u0000${after}` })).ok) return
  const { text } = recordOf(await api.view(everything, id))
  expectThat(
    typeof text !== 'string' || text.includes(after),
    'a string ends where it has a character 0',
    `${before}\u0000${after}`,
    text,
  )
}

/**
 * The files of a field are set to nothing. How a client takes files back is left open: the field then shows the same
 * files or none, and the other fields are as they were.
 */
export async function expectFilesEmptied({ api, make, table, unique }: CheckContext): Promise<void> {
  const everything = table('everything')
  const { id } = await make(everything, { text: unique('files') })
  if (!(await api.update(everything, id, uploads())).ok) return
  let before = recordOf(await api.view(everything, id))
  for (const [field, nothing] of [
    ['file', ''],
    ['files', []],
  ] as const) {
    const { ok } = await api.update(everything, id, { [field]: nothing })
    const after = recordOf(await api.view(everything, id))
    expectNone(differsElsewhere(after, before, [field]), `after an update that empties ${field}`)
    const kept = sameShown(field, after[field], before[field])
    const isEmpty = ok && sameShown(field, after[field], nothing)
    expectThat(
      kept || isEmpty,
      `an update that empties ${field} leaves other files`,
      'none, or the same',
      after[field],
    )
    before = after
  }
}

/**
 * The values that an update accepts are shown, and nothing else has changed.
 *
 * @returns the values that it accepted
 */
async function expectTaken(context: CheckContext, id: string, all: Body, what: string): Promise<Body> {
  const { api, table } = context
  const everything = table('everything')
  const body = withoutFields(all, await lackingFields(context))
  const before = recordOf(await api.view(everything, id))
  const taken = await updateAsTaken(api, everything, id, body)
  const sent = Object.fromEntries(Object.entries(body).filter(([field]) => taken.includes(field)))
  expectNone(differsAfterUpdate(recordOf(await api.view(everything, id)), before, sent), what)
  return sent
}

/** Lengths of a value, and so of responses: above 64 KiB and above 1 MiB. */
const lengths = [70_000, 1_100_000]

/** A long value is shown whole, by a view and by a list. */
export async function expectLong(context: CheckContext): Promise<void> {
  const { api, table, make, unique } = context
  const everything = table('everything')
  const lacksEditor = (await unshownFields(context)).includes('editor')
  const mark = unique('long')
  const { id } = await make(everything, { text: mark })
  const filter = lacksEditor
    ? equals(context, everything, 'id', id)
    : equals(context, everything, 'text', mark)
  for (const length of lengths) {
    const words = 'word '.repeat(length / 5)
    const body = lacksEditor ? { text: `${mark} ${words}` } : { editor: `<p>${words}</p>` }
    const response = await unlessTooLarge(() => api.update(everything, id, body))
    if (response === undefined || isRejected(response)) return
    expectNone(differsFromBody(recordOf(await api.view(everything, id)), body), `of ${length} characters`)
    const list = await api.list(everything, { filter })
    // Which fields a condition can be about is left open.
    if (isAboutBody(list.status)) continue
    const item = listOf(list).items.find((each) => each.id === id)
    if (item === undefined && lacksEditor) continue
    expectThat(item !== undefined, 'a list does not contain the record with a long value', 'the record')
    expectNone(differsFromBody(item, body), `of ${length} characters in a list`)
  }
}

/** A server may close the connection on a request that is too large for it: which sizes it takes is left open (8). */
export async function unlessTooLarge(send: () => Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof BrokenConnectionError) return undefined
    throw error
  }
}
