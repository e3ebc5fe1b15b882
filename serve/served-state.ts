/**
 * The whole state as a superuser sees it: the response of `GET /_conformance/state`.
 *
 * @module
 */

import { innerFields } from '../exchange/secrets/never-shown.ts'
import { servicesOf } from '../reference/services-of.ts'
import type { Row, Table } from '../reference/vocabulary.ts'
import type { Serving } from './serving.ts'

/** Fields with hashes of codes and keys, in system tables and elsewhere, which no route of the interface reads. */
const secrets: ReadonlySet<string> = new Set([...innerFields, 'hash'])

/** A record with its hidden fields, but without password, hash or token key. */
function shownRecord(table: Table, row: Row): Record<string, unknown> {
  const shown = table.fields.filter(({ name, type }) => type !== 'password' && !secrets.has(name))
  return Object.fromEntries(
    shown.map((field) => [field.name, field.render(row.values[field.name] ?? field.zero)]),
  )
}

export function servedState({ reference, clock, seed }: Serving): Record<string, unknown> {
  const reader = servicesOf(reference).store.current
  const tables = [...reader.tables()].filter(({ name }) => name !== '_apiKeys')
  return {
    clock: clock.facts(),
    seed,
    prefix: reference.prefix,
    tables: tables.map((table) => ({
      id: table.id,
      name: table.name,
      type: table.type,
      system: table.system,
      count: reader.count(table),
    })),
    records: Object.fromEntries(
      tables.map((table) => [table.name, [...reader.scan(table)].map((row) => shownRecord(table, row))]),
    ),
    apiKeys: reference.apiKeys.list(),
    mails: reference.mail.outbox.length,
  }
}
