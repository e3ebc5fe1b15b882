import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { textFieldOf } from './text-field-of.ts'

/** By the role of a table: its text, its relation, and the role that the relation refers to. */
export const relations = {
  requiring: ['label', 'parent', 'plain'],
  loose: ['label', 'one', 'plain'],
  cascading: ['label', 'parent', 'plain'],
  child: ['name', 'parent', 'parent'],
  related: ['name', 'parent', 'related'],
} as const

export type ReferringRole = keyof typeof relations

/** A record, the role of its table, and another one that refers to it. */
export interface Referring {
  target: string
  id: string
  child: WireRecord
}

/** Whether the target has the table of the role, and the one that it refers to. */
export function mayRefer({ hasTable }: CheckContext, role: ReferringRole): boolean {
  return hasTable(role) && hasTable(relations[role][2])
}

/** Creates a record and one that refers to it; undefined if it cannot, which is the finding of another check. */
export function makeReferring(
  { make, table, unique }: CheckContext,
  role: ReferringRole,
): Promise<Referring | undefined> {
  const [text, relation, target] = relations[role]
  return unlessPrevented(async () => {
    const { id } = await make(table(target), { [textFieldOf(target)]: unique('held') })
    return { target, id, child: await make(table(role), { [text]: unique('holds'), [relation]: id }) }
  })
}
