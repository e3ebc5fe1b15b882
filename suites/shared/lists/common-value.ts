/**
 * What the records of a check have in common, so that a list shows them alone. Whether two records of a table may have the
 * same text is left open. Where they may not, they refer to the same record instead.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { conditionText } from '../../../harness/wire/query-text.ts'
import { neededIn } from '../records/relation-of.ts'
import { takesSameText } from '../records/takes-same-text.ts'
import { textFieldOf } from '../records/text-field-of.ts'
import { unlessPrevented } from '../unless-prevented.ts'

/** A value that all records of a check have, and no others. */
export interface CommonValue {
  field: string
  value: string
  /** The record that they refer to, if the value is its id. */
  related?: WireRecord
  /** What one of them sends. */
  body(): Body
}

/** By role: a relation, and the role that it leads to. */
const relations: Readonly<Record<string, readonly [field: string, parent: string]>> = {
  related: ['parent', 'related'],
  child: ['parent', 'parent'],
  everything: ['relation', 'related'],
}

export async function commonValue(context: CheckContext, table: TableRef): Promise<CommonValue> {
  const { make, table: tableOf, unique } = context
  const text = textFieldOf(table.role)
  const relation = await relationInstead(context, table.role)
  if (relation === undefined) {
    const mark = unique('pile')
    return { field: text, value: mark, body: () => ({ [text]: mark }) }
  }
  const [field, parent] = relation
  const name = unique('pile')
  const related = { ...(await make(tableOf(parent), { name })), name }
  return { field, value: related.id, related, body: () => ({ [text]: unique('of'), [field]: related.id }) }
}

/**
 * The first table of these in which records can have a value in common. A text is preferred, as in most servers.
 *
 * @returns undefined if there is none
 */
export async function tableToShare(
  context: CheckContext,
  roles: readonly string[],
): Promise<TableRef | undefined> {
  const present = roles.filter(context.hasTable)
  for (const role of present)
    if (await unlessPrevented(() => takesSameText(context, role))) return context.table(role)
  for (const role of [...present, 'child'])
    if (await relationInstead(context, role)) return context.table(role)
  return undefined
}

/**
 * The relation of a table whose records may not have the same text, but can be listed by the record that they refer to.
 * Which conditions a list takes is left open: tried once a run.
 */
async function relationInstead(context: CheckContext, role: string) {
  const { api, binding, hasTable, make, makeMany, once, table, unique, unknownForms } = context
  const relation = relations[role]
  if (relation === undefined || !hasTable(role) || !hasTable(relation[1])) return undefined
  if (unknownForms.includes('filter')) return undefined
  const [field, parent] = relation
  const text = textFieldOf(role)
  const isFound = async () => {
    const needed = await neededIn(context, role)
    if (await takesSameText(context, role, needed)) return false
    const [one, other] = await makeMany(
      table(parent),
      [1, 2].map(() => ({ name: unique('parent') })),
    )
    const child = await make(table(role), { [text]: unique('one'), [field]: one?.id })
    await make(table(role), { [text]: unique('other'), [field]: other?.id })
    const filter = conditionText(binding, table(role).fields?.[field] ?? field, one?.id ?? '')
    const { ok, body } = await api.list(table(role), { filter })
    const items = ok && isObject(body) && Array.isArray(body.items) ? body.items : []
    return items.length === 1 && isObject(items[0]) && items[0].id === child.id
  }
  const finds = await once(`records of ${role} by what they refer to`, () => unlessPrevented(isFound))
  return finds === true ? relation : undefined
}
