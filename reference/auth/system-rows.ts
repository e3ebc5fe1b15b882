/**
 * Rows that belong to one auth record and live in the system tables: open codes, sign-ins under way, links to
 * providers, known places.
 *
 * @module
 */

import { zeroValues } from '../fields/resolve-body.ts'
import { fillGenerated, stampDates } from '../fields/save-values.ts'
import { authOrigins, externalAuths, mfas, otps } from '../tables/system.ts'
import type { Environment, Reader, Row, Table, Value, Writer } from '../vocabulary.ts'

const names = {
  otps: otps.name,
  mfas: mfas.name,
  externalAuths: externalAuths.name,
  authOrigins: authOrigins.name,
} as const

export type OwnedKind = keyof typeof names
export const ownedKinds = Object.keys(names) as OwnedKind[]

/** The system table for a kind of row. */
export function ownedTable(reader: Reader, kind: OwnedKind): Table {
  const table = reader.table(names[kind])
  if (table === undefined)
    throw new Error(`The store has no table ${names[kind]}: add the system tables first.`)
  return table
}

/** Rows of a kind that belong to a record, oldest first. */
export function ownedRows(reader: Reader, kind: OwnedKind, table: Table, row: Row): Row[] {
  const owned = ownedTable(reader, kind)
  const ref = owned.field('recordRef')
  if (ref === undefined) return []
  return [...reader.referrers(owned, ref, row.id)].filter((one) => one.values.collectionRef === table.id)
}

/** Adds a row that belongs to a record. @throws UniqueViolation */
export function addOwned(
  writer: Writer,
  kind: OwnedKind,
  table: Table,
  row: Row,
  values: Readonly<Record<string, Value>>,
  environment: Environment,
): Row {
  const owned = ownedTable(writer, kind)
  const whole = { ...zeroValues(owned), ...values, collectionRef: table.id, recordRef: row.id }
  const filled = fillGenerated(owned, whole, environment)
  return writer.insert(owned, stampDates(owned, filled, 'create', environment.now()))
}

/** Removes all rows of some kinds that belong to a record. */
export function removeOwned(writer: Writer, kinds: readonly OwnedKind[], table: Table, row: Row): void {
  for (const kind of kinds) {
    for (const one of ownedRows(writer, kind, table, row)) writer.remove(ownedTable(writer, kind), one)
  }
}

/** Whether a row is older than so many seconds. */
export function isOlder(row: Row, seconds: number, environment: Environment): boolean {
  return environment.now() - Date.parse(String(row.values.created)) > seconds * 1000
}

/** Removes rows of a kind that are over, so that what nobody asks about again does not pile up. */
export function removeExpired(
  writer: Writer,
  kind: OwnedKind,
  table: Table,
  row: Row,
  seconds: number,
  environment: Environment,
): void {
  for (const one of ownedRows(writer, kind, table, row)) {
    if (isOlder(one, seconds, environment)) writer.remove(ownedTable(writer, kind), one)
  }
}
