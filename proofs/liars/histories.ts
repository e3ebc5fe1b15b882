/**
 * Servers whose database becomes another one during a run.
 *
 * @module
 */

import { servicesOf } from '../../reference/services-of.ts'
import { honest, type Make } from './combinators.ts'
import { type LiarTools, liar } from './liar.ts'

/** Requests before it happens: in the middle of the shortest run of the matrix. */
const late = 400

liar(
  'a backup is restored during the run',
  {
    says: 'After 400 requests, the database is again what it was at the start; ids count, so they are used again.',
    ids: 'counting',
  },
  (tools) => {
    const backup = servicesOf(tools.reference).store.snapshot()
    return once(late, () => servicesOf(tools.reference).store.restore(backup))
  },
)

liar(
  'another database takes over during the run',
  {
    says: 'After 400 requests, the records of the run are gone, and others have their ids; ids count in each table.',
    ids: 'per table',
  },
  (tools) => {
    const backup = servicesOf(tools.reference).store.snapshot()
    return once(late, async () => {
      servicesOf(tools.reference).store.restore(backup)
      for (const table of ['conf_plain', 'conf_everything', 'conf_members', 'conf_related'])
        await tools.reference.make(table, 60)
      tools.foreign.replacedByServer()
    })
  },
)

liar(
  'another client works during the run',
  {
    says: 'At every hundredth request, another client creates a record; ids count over all tables.',
    ids: 'counting',
  },
  (tools) => {
    let count = 0
    return () => async (request, next) => {
      if (++count % 100 === 0) await workOf(tools, count)
      return next(request)
    }
  },
)

async function workOf({ reference, foreign }: LiarTools, count: number): Promise<void> {
  const table = ['conf_plain', 'conf_everything', 'conf_members'][(count / 100) % 3] ?? 'conf_plain'
  for (const { id } of await reference.make(table, 1)) foreign.addedByServer(table, String(id))
}

/** Honest, but for what happens at one request. */
function once(at: number, happens: () => unknown): Make {
  return (tools) => {
    const middleware = honest(tools)
    let count = 0
    return async (request, next) => {
      if (++count === at) await happens()
      return middleware(request, next)
    }
  }
}
