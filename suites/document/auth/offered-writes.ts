/**
 * Commands of a sequence that write accounts directly: an update, the same in a batch, a delete in a batch, and the use
 * of a token in the wrong table. The document names only one end of a session, the end of its record (8: token lifetime
 * is not shown). After an update of a record, its own token is therefore neither alive nor dead. Its password is alive:
 * an update changes only the fields that it sends (4.1), and leaves other records unchanged.
 *
 * @module
 */

import { expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { sessionIn } from '../../shared/auth/session-in.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { pick } from '../../shared/pick.ts'
import { type Act, as, type NamedAct } from './sequence-act.ts'

/** Sends the write on its own or, for every second choice, in a batch. */
export const updateName: Act = async (model, context, choice) => {
  const person = pick(model.present(), choice)
  if (person === undefined) return
  const api = as(context, person.token)
  const body = { name: context.unique('name') }
  const inBatch = choice % 2 === 1 && context.has('batch')
  const response = inBatch
    ? await api.batch([subRequests(api).update(person.table, person.id, body)])
    : await api.update(person.table, person.id, body)
  if (response.ok) model.renew(person)
}

/** A view shows whether the write took effect: the document does not show the response to a batch. */
const removeInBatch: Act = async (model, context, choice) => {
  const person = pick(model.living(), choice)
  if (person === undefined) return
  const root = context.api.as('superuser')
  const api = choice % 2 === 0 && person.token !== undefined ? as(context, person.token) : root
  if (!(await api.batch([subRequests(api).remove(person.table, person.id)])).ok) return
  if ((await root.view(person.table, person.id)).ok) return
  model.renew(person)
  person.deleted = true
}

/** Whether a token is accepted for another table is left open. It never identifies another person. */
const useElsewhere: Act = async (model, context, choice) => {
  const person = pick(model.present(), choice)
  const other = pick(
    model.people.filter(({ table }) => table.name !== person?.table.name),
    choice,
  )
  if (person === undefined || other === undefined) return
  const response = await as(context, person.token).authRefresh(other.table)
  if (!response.ok) return
  const { recordId } = sessionIn(response)
  const isOwn = recordId === undefined || recordId === person.id
  expectThat(isOwn, 'a token refreshes the session of another table’s record', person.id, recordId)
  model.renew(person)
}

/** Those commands that a target can do. */
export function offeredWrites(context: CheckContext): NamedAct[] {
  const acts: NamedAct[] = [
    ['updateName', updateName],
    ['useElsewhere', useElsewhere],
  ]
  if (context.has('batch') && context.knows('superuser')) acts.push(['removeInBatch', removeInBatch])
  return acts
}
