/** What remains of a write whose response is an error (document 4.1). */

import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import { expectThat, isRejected, UntestableError } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { incompleteBodies } from '../../shared/records/incomplete-bodies.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { ownFields } from './own-fields.ts'

/** A write that a server may reject, and whether it was done. */
interface Write {
  what: string
  send(): Promise<ApiResponse>
  isDone(): Promise<boolean>
}

/** The client that sees what was written: a guest's stand-in may see only its own records. */
function reader(context: CheckContext, table: TableRef): Api {
  return table.as === undefined ? ablest(context) : context.api
}

/** Whether a list of the table shows a record with this text, in letters of either case. */
async function isThere(context: CheckContext, table: TableRef, field: string, text: string) {
  const found = () => recordsWith(context, table, field, text, reader(context, table))
  const shown = (await unlessPrevented(found)) ?? []
  return shown.some((record) => String(record[field]).toLowerCase() === text.toLowerCase())
}

/** Writes to one table; `bad` is what makes a server reject them, next to a string that shows whether they were done. */
function writes(
  context: CheckContext,
  { table, field, bad = {} }: { table: TableRef; field: string; bad?: Record<string, unknown> },
  { id }: WireRecord,
): Write[] {
  const { api, unique } = context
  const [created, updated] = [unique('created'), unique('updated')]
  return [
    {
      what: 'a create',
      send: () => api.create(table, { ...bad, [field]: created }),
      isDone: () => isThere(context, table, field, created),
    },
    {
      what: 'an update',
      send: () => api.update(table, id, { ...bad, [field]: updated }),
      isDone: async () => {
        const view = await reader(context, table).view(table, id)
        return view.ok && (view.body as WireRecord | undefined)?.[field] === updated
      },
    },
  ]
}

/** Creates that lack something that the table may require of each record. */
function incomplete(context: CheckContext): Write[] {
  const { api, table } = context
  return ['plain', 'everything', 'required'].flatMap((role) =>
    incompleteBodies(context, role).map(({ field, text, body }) => ({
      what: 'a create that lacks the value of a field',
      send: () =>
        api.raw({
          method: 'POST',
          path: api.path.records(table(role)),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      isDone: () => isThere(context, table(role), field, text),
    })),
  )
}

/** Values that a field of another type does not take, by what a record shows there. Which ones it takes is left open. */
const wrongTypes: readonly [isMeant: (value: unknown) => boolean, bad: unknown][] = [
  [(value) => typeof value === 'boolean', 'no truth value'],
  [(value) => typeof value === 'number', 'no number'],
  [(value) => typeof value === 'string', { no: 'string' }],
]

/** Writes with a value of another type in a field that the suite does not know. */
async function wrongWrites(context: CheckContext): Promise<Write[]> {
  const { api, make, table, unique } = context
  const plain = table('plain')
  const record = await make(plain, { title: unique('wrong') })
  const view = await api.view(plain, record.id)
  if (!view.ok || !isObject(view.body)) return []
  const shown = { ...view.body, id: record.id }
  return wrongTypes.flatMap(([isMeant, value]) =>
    ownFields(plain, shown, isMeant)
      .slice(0, 1)
      .flatMap(({ sent }) =>
        writes(context, { table: plain, field: 'title', bad: { [sent]: value } }, record),
      ),
  )
}

/** Writes of guests to a table that only superusers may use. */
async function closedWrites(context: CheckContext): Promise<Write[]> {
  const { api, hasTable, knows, make, table, unique } = context
  if (!hasTable('locked') || !knows('superuser')) return []
  const locked = table('locked')
  const closed = await make(locked, { title: unique('title') })
  return [
    ...writes(context, { table: locked, field: 'title' }, closed),
    {
      what: 'a delete',
      send: () => api.delete(locked, closed.id),
      isDone: async () => !(await api.as('superuser').view(locked, closed.id)).ok,
    },
  ]
}

check('write.rejected-changes-nothing', async (context) => {
  const { hasTable, make, table, unique } = context
  const all = [...(await closedWrites(context)), ...incomplete(context), ...(await wrongWrites(context))]
  if (hasTable('everything')) {
    const everything = table('everything')
    const record = await make(everything, { text: unique('text') })
    const bad = { email: 'no address', select: 'no such choice' }
    all.push(...writes(context, { table: everything, field: 'text', bad }, record))
  }
  let rejected = 0
  for (const { what, send, isDone } of all) {
    const response = await send()
    if (!isRejected(response)) continue
    rejected += 1
    expectThat(
      !(await isDone()),
      `${what} was rejected with ${response.status} but took effect`,
      'no effect',
      'done',
    )
  }
  if (rejected === 0)
    throw new UntestableError(
      'no write is rejected',
      'target file: "tables": map the role "locked" to a table that only superusers may use, or set "values" of "plain" to what each of its records requires',
    )
})
