/** One record at a time, in every table that the target has (document 4.1). */

import { check } from '../../harness/check.ts'
import { expectEqual, expectNoSuccess, expectThat } from '../../harness/judging/expect.ts'
import type { Api, Body, WireRecord } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import type { TableRef } from '../../harness/vocabulary/target.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { loadTables } from '../../spec/tables.ts'
import { newEmail, signUpBody } from '../auth/world.ts'
import { expectNone } from './commands.ts'
import { readTable } from './read-table.ts'
import { differsAtAll } from './record-model.ts'

/** A body with a text that nothing else has; undefined where the table has no field for one. */
type Filled = (text: string) => Body

function fillingOf({ fields = [] }: TableDefinition): Filled | undefined {
  const free = fields.find(
    (field) =>
      field.type === 'text' &&
      field.hidden !== true &&
      field.primaryKey !== true &&
      [field.min, field.max, field.pattern, field.autogeneratePattern].every((each) => each === undefined),
  )
  if (free !== undefined) return (text) => ({ [free.name]: text })
  const link = fields.find(({ type }) => type === 'url')
  return link && ((text) => ({ [link.name]: `https://example.com/${text}` }))
}

/** The records whose texts hold the marker, by id. */
function marked(api: Api, table: TableRef, marker: string): Promise<Map<string, WireRecord>> {
  return readTable(api, table, (record) =>
    Object.values(record).some((value) => typeof value === 'string' && value.includes(marker)),
  )
}

function expectUntouched(
  after: WireRecord | undefined,
  before: WireRecord | undefined,
  { name }: TableRef,
): void {
  if (after !== undefined && before !== undefined)
    expectNone(differsAtAll(after, before), `of another record of ${name}`)
}

/** Creates two records, changes one and deletes it. What a table does not let happen is passed over. */
async function oneAtATime(context: CheckContext, role: string, definition: TableDefinition): Promise<void> {
  const filled = fillingOf(definition)
  if (filled === undefined) return
  const api = context.knows('superuser') ? context.api.as('superuser') : context.api
  const table = context.table(role)
  const marker = context.unique(role)
  for (const name of ['a', 'b']) {
    const text = filled(`${marker}-${name}`)
    const body =
      definition.type === 'auth' ? signUpBody(context, { email: newEmail(context), ...text }) : text
    if (!(await api.create(table, body)).ok) return
  }
  // Who may list a table is left open.
  if (!(await api.list(table, { perPage: 5 })).ok) return
  const made = await marked(api, table, marker)
  const ids = [...made.keys()].sort()
  const one = ids.find((id) => JSON.stringify(made.get(id)).includes(`${marker}-a`))
  const other = ids.find((id) => JSON.stringify(made.get(id)).includes(`${marker}-b`))
  // A server may write a text in a way of its own, and nothing can be found by it.
  if (one === undefined || other === undefined) return
  expectEqual(made.size, 2, `the number of records in ${table.name} after two creates`)

  const changed = await api.update(table, one, filled(`${marker}-changed`))
  const updated = await marked(api, table, marker)
  expectEqual([...updated.keys()].sort(), ids, `the ids in ${table.name} after an update`)
  expectUntouched(updated.get(other), made.get(other), table)
  if (changed.ok)
    expectThat(
      JSON.stringify(updated.get(one)).includes(`${marker}-changed`),
      `an update in ${table.name} is not done`,
      `${marker}-changed`,
      updated.get(one),
    )

  if (!(await api.delete(table, one)).ok) return
  expectNoSuccess(await api.view(table, one), `a view of a record deleted from ${table.name}`)
  const left = await marked(api, table, marker)
  expectEqual([...left.keys()], [other], `the ids in ${table.name} after a delete`)
  expectUntouched(left.get(other), updated.get(other), table)
}

check('table.one-at-a-time', async (context) => {
  for (const { role, definition } of loadTables())
    if (context.hasTable(role)) await oneAtATime(context, role, definition)
})
