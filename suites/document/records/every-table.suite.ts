/** One record at a time, in every table that the target has (document 4.1). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { factsOf } from '../../../spec/field-types.ts'
import type { TableDefinition } from '../../../spec/table-definition.ts'
import { loadTables } from '../../../spec/tables.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { newEmail, signUpBody } from '../../shared/auth/accounts.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { formOf, textFile } from '../../shared/records/forms.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { expectNone } from './commands.ts'
import { differsAtAll } from './table-model.ts'

/** A body with a text that nothing else has; undefined if the table has no field for one. */
type Filled = (text: string) => Body

function fillingOf({ fields = [] }: TableDefinition, text: string): Filled | undefined {
  const free = fields.find(
    (field) =>
      field.type === 'text' &&
      field.hidden !== true &&
      field.primaryKey !== true &&
      [field.min, field.max, field.autogeneratePattern].every((each) => each === undefined) &&
      (field.pattern === undefined || new RegExp(field.pattern).test(text)),
  )
  if (free !== undefined) return (text) => ({ [free.name]: text })
  const link = fields.find(({ type }) => type === 'url')
  return link && ((text) => ({ [link.name]: `https://example.com/${text}` }))
}

/** Values for the fields that a table requires. */
async function requiredBody(
  { make, table, unique }: CheckContext,
  { fields = [] }: TableDefinition,
): Promise<{ json: Body; files: string[] }> {
  const json: Body = {}
  const files: string[] = []
  for (const field of fields) {
    if (!('required' in field) || field.required !== true || field.name === 'id') continue
    if (field.type === 'file') files.push(field.name)
    else if (field.type === 'relation') {
      const target = loadTables().find(({ definition: { id } }) => id === field.collectionId)
      if (target === undefined) continue
      const [name] = Object.keys(fillingOf(target.definition, '')?.('') ?? {})
      json[field.name] = (
        await make(table(target.role), name === undefined ? {} : { [name]: unique(name) })
      ).id
    } else json[field.name] = factsOf(field.type)?.sample
  }
  return { json, files }
}

/** The same as a form if there are files, which JSON cannot contain. */
function bodyOf(json: Body, files: readonly string[]): Body | FormData {
  if (files.length === 0) return json
  return formOf([
    ...Object.entries(json).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
    ...files.map((name) => [name, textFile('required.txt')] as const),
  ])
}

/** The records with the marker in a string field, by id. */
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

/** Whether accounts sign in by the field: the document does not say whether an update may change it. */
function isIdentity(definition: TableDefinition, filled: Filled): boolean {
  const identities = definition.type === 'auth' ? definition.passwordAuth?.identityFields : undefined
  return Object.keys(filled('')).some((name) => identities?.includes(name))
}

/** Creates two records, changes one and deletes it. Operations that the table rejects are skipped. */
async function oneAtATime(context: CheckContext, role: string, definition: TableDefinition): Promise<void> {
  const marker = context.unique(role).replace(/\W/g, '_')
  const filled = fillingOf(definition, marker)
  if (filled === undefined) return
  const api = ablest(context)
  const table = context.table(role)
  const { json, files } = await requiredBody(context, definition)
  const create = (name: string) => {
    const body = { ...json, ...filled(`${marker}_${name}`) }
    const account = definition.type === 'auth' ? signUpBody(context, { email: newEmail(context) }) : {}
    return api.create(table, bodyOf({ ...account, ...body }, files))
  }
  for (const name of ['a', 'b']) if (!(await create(name)).ok) return
  // The document does not say who may list a table.
  if (!(await api.list(table, { perPage: 5 })).ok) return
  const made = await marked(api, table, marker)
  const ids = [...made.keys()].sort()
  const one = ids.find((id) => JSON.stringify(made.get(id)).includes(`${marker}_a`))
  const other = ids.find((id) => JSON.stringify(made.get(id)).includes(`${marker}_b`))
  // A server may store a text in a form of its own, so that no filter finds it.
  if (one === undefined || other === undefined)
    return expectNewId(context, api, { table, isAuth: definition.type === 'auth' }, () => create('c'))
  expectEqual(made.size, 2, `the number of records in ${table.name} after two creates`)

  const changed = await api.update(table, one, filled(`${marker}_changed`))
  // A text may have to be the only one of its kind: where an update goes to all records, a number shows it.
  const number = definition.fields?.find(({ type }) => type === 'number')
  if (number !== undefined) await api.update(table, one, { [number.name]: 7 })
  const updated = await marked(api, table, marker)
  expectEqual([...updated.keys()].sort(), ids, `the ids in ${table.name} after an update`)
  expectUntouched(updated.get(other), made.get(other), table)
  if (changed.ok && !isIdentity(definition, filled))
    expectThat(
      JSON.stringify(updated.get(one)).includes(`${marker}_changed`),
      `an update in ${table.name} has no effect`,
      `${marker}_changed`,
      updated.get(one),
    )

  if (!(await api.delete(table, one)).ok) return
  const gone = updated.get(one) ?? { id: one }
  expectGone(await api.view(table, one), gone, `a view of a record deleted from ${table.name}`)
  const left = await marked(api, table, marker)
  expectEqual([...left.keys()], [other], `the ids in ${table.name} after a delete`)
  expectUntouched(left.get(other), updated.get(other), table)
}

/** A record that no search finds can still exist: the table lists an id that it did not list before. */
async function expectNewId(
  { knows }: CheckContext,
  api: Api,
  { table, isAuth }: { table: TableRef; isAuth: boolean },
  create: () => Promise<ApiResponse>,
): Promise<void> {
  // Whose records a list shows is left open.
  if (!knows('superuser')) return
  const before = await readTable(api, table, () => true)
  // It may show an account only to its owner.
  if (isAuth && before.size === 0) return
  if (!(await create()).ok) return
  const fresh = await readTable(api, table, ({ id }) => !before.has(id))
  expectThat(fresh.size > 0, `a create in ${table.name} adds no record to its list`, 'a new id', 'none')
}

check('table.one-at-a-time', async (context) => {
  for (const { role, definition } of loadTables())
    if (context.hasTable(role)) await oneAtATime(context, role, definition)
})
