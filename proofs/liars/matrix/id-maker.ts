/**
 * How a liar's server makes the ids of new records.
 *
 * @module
 */

import type { IdMaker, Reference } from '../../../reference/reference.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import type { Reader } from '../../../reference/vocabulary.ts'
import { loadTables } from '../../../spec/tables.ts'
import type { IdScheme } from '../liar.ts'

const counted = (count: number) => String(count).padStart(15, '0')

/** By table: ids that were given, and what was committed at that time. */
type Given = Map<string, Map<string, Reader | undefined>>

/** No two accounts have one id, in whatever tables: each table of accounts counts from a number of its own. */
const accounts = loadTables()
  .filter(({ definition }) => definition.type === 'auth')
  .map(({ definition }) => definition.name)

function firstOf(name: string): number {
  return 1 + 100_000 * (1 + accounts.indexOf(name))
}

/**
 * @param reference the server that records are currently requested from
 * @returns undefined for random ids
 */
export function idMaker(scheme: IdScheme, reference: () => Reference | undefined): IdMaker | undefined {
  if (scheme === 'random') return undefined
  if (scheme === 'counting') return 'counting'
  /** For the reference that the others are copied from: it is not known yet while its records are made. */
  const first = {}
  const given = new WeakMap<object, Given>()
  return (_before, name) => {
    const present = reference()
    const all = given.get(present ?? first) ?? new Map<string, Map<string, Reader | undefined>>()
    given.set(present ?? first, all)
    const mine = all.get(name) ?? new Map<string, Reader | undefined>()
    all.set(name, mine)
    const reader = present && servicesOf(present).store.current
    const table = reader?.table(name)
    /** One that was given and is not there may belong to the transaction that asks now, which is not committed yet. */
    const isFree = (id: string) =>
      !mine.has(id) || (scheme === 'lowest free' && mine.get(id) !== reader && reader !== undefined)
    for (let count = firstOf(name); ; count++) {
      const id = counted(count)
      if ((table !== undefined && reader?.get(table, id) !== undefined) || !isFree(id)) continue
      mine.set(id, reader)
      return id
    }
  }
}
