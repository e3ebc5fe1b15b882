/**
 * A small world of two tables, for batches where the target lacks tables of the setup. What the second one allows is left
 * open: each kind of write is tried alone, once a run.
 *
 * @module
 */

import { UntestableError } from '../../../harness/judging/expect.ts'
import { relationHint } from '../../../harness/judging/gate.ts'
import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { type BatchWorld, makePlainWorld, type Step } from './batch-steps.ts'

/** In the order in which they are tried. `plain` may be one of them. */
const seconds = ['child', 'parent', 'related'] as const
type Second = (typeof seconds)[number]

/** What else than a create succeeds alone in a table. */
export interface PossibleWrites {
  updates: boolean
  deletes: boolean
  /** Two records to refer to; none in a table whose records refer to nothing. */
  parents: readonly string[]
  /** Whether an update changes to which of them a record refers. */
  moves: boolean
}

/** @throws UntestableError if the target has only one table */
export async function pairWorld(context: CheckContext): Promise<BatchWorld> {
  const { hasTable, make, table } = context
  const role = seconds.find((each) => hasTable(each) && table(each).name !== table('plain').name)
  if (role === undefined)
    throw new UntestableError('the target has no second table to write to', relationHint)
  const writes = await possibleWrites(context, role)
  const fields = ({ does, number }: Pick<Step, 'does' | 'number'>): Body => {
    const parent = writes.parents[number % 2]
    return parent === undefined || (does === 'update' && !writes.moves) ? {} : { parent }
  }
  const allows = (does: Step['does']) =>
    does === 'create' || (does === 'update' ? writes.updates : writes.deletes)
  return {
    roles: ['plain', role],
    async make(_, marker) {
      await makePlainWorld(context, marker)
      for (const number of [1, 2])
        await make(table(role), { name: `${marker} ${number}`, ...fields({ does: 'create', number }) })
    },
    fields: (step) => (step.role === role ? fields(step) : {}),
    allows: (step) => step.role !== role || allows(step.does),
  }
}

/** Tries each kind of write alone, with records that refer to one another. */
export function possibleWrites(context: CheckContext, role: Second): Promise<PossibleWrites> {
  const { api, make, once, table, unique } = context
  return once(`writes that ${role} accepts`, async () => {
    const parents = await parentsFor(context, role)
    const refers = (at: number) => (parents[at] === undefined ? {} : { parent: parents[at] })
    const { id } = await make(table(role), { name: unique('written'), ...refers(0) })
    const updates = await updateApplies(context, table(role), id, { name: unique('changed') })
    const moves = updates && parents.length > 0 && (await updateApplies(context, table(role), id, refers(1)))
    const deletes = (await api.delete(table(role), id)).ok && !(await api.view(table(role), id)).ok
    return { updates, moves, deletes, parents }
  })
}

async function parentsFor({ makeMany, table, unique }: CheckContext, role: Second): Promise<string[]> {
  if (role === 'parent') return []
  const parents = table(role === 'child' ? 'parent' : role)
  const made = await makeMany(parents, [{ name: unique('one') }, { name: unique('other') }])
  return made.map(({ id }) => id)
}

/** Whether an update is accepted and has its effect. */
export async function updateApplies(
  { api }: CheckContext,
  table: TableRef,
  id: string,
  body: Body,
): Promise<boolean> {
  if (!(await api.update(table, id, body)).ok) return false
  const { ok, body: viewed } = await api.view(table, id)
  return ok && Object.entries(body).every(([field, value]) => (viewed as Body)[field] === value)
}
