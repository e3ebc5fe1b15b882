/**
 * A liar: one named server that lies about identity, or does something unusual with it, in front of the reference. It
 * proves that a run never changes or deletes a record that it did not create.
 *
 * @example
 * liar('a create names another record', {
 *   says: 'The response to a create has the id of a record that was there before.',
 * }, ({ foreign }) => tamper('createRecord', (body, _request, { table }) => ({ ...body, id: foreign.next(table) })))
 *
 * @module
 */

import type { FaultTools, Middleware } from '../faults/fault.ts'
import type { ForeignRecords } from './foreign-records.ts'

/**
 * How the server makes ids: random ones, counting over all tables, counting in each table, or always the lowest number
 * of the table that is free.
 */
export type IdScheme = 'random' | 'counting' | 'per table' | 'lowest free'

/** What a liar may use in addition to the request. */
export interface LiarTools extends FaultTools {
  /** The records that the run did not create. */
  foreign: ForeignRecords
}

export interface LiarOptions {
  /** One sentence: what the server does. */
  says: string
  /** @default 'random' */
  ids?: IdScheme
  /** Checks that must be among those of the run, because only they make the request that the lie is about. */
  checks?: readonly string[]
  /** More records in a table, before the run. */
  more?: { table: string; count: number }
  /** It is also run with nothing claimed and without a superuser. @default false */
  bare?: boolean
}

export interface Liar extends LiarOptions {
  name: string
  /** Called once for each run, so that a liar can keep state. */
  make(tools: LiarTools): Middleware
}

const registry = new Map<string, Liar>()

/** Declares a liar. The name says the lie; it is unique. */
export function liar(
  name: string,
  options: LiarOptions,
  make: (tools: LiarTools) => (tools: FaultTools) => Middleware,
): void {
  if (registry.has(name)) throw new Error(`Two liars are called "${name}": rename one of them.`)
  registry.set(name, { name, ...options, make: (tools) => make(tools)(tools) })
}

/** All liars declared so far, in the order of declaration. */
export function declaredLiars(): readonly Liar[] {
  return [...registry.values()]
}
