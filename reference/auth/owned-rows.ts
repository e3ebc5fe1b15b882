/**
 * Rows of the system tables that belong to one auth record: open codes, pending sign-ins, links to providers, known
 * locations.
 *
 * @module
 */

import { fillGenerated, stampDates } from '../fields/fill-generated.ts'
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
  const whole = { ...owned.zero, ...values, collectionRef: table.id, recordRef: row.id }
  const filled = fillGenerated(owned, whole, environment)
  return writer.insert(owned, stampDates(owned, filled, 'create', environment.now()))
}

/** Removes all rows of some kinds that belong to a record. */
export function removeOwned(writer: Writer, kinds: readonly OwnedKind[], table: Table, row: Row): void {
  for (const kind of kinds) {
    for (const one of ownedRows(writer, kind, table, row)) writer.remove(ownedTable(writer, kind), one)
  }
}

/** Whether a row is older than this many seconds. */
export function isOlder(row: Row, seconds: number, environment: Environment): boolean {
  return environment.now() - Date.parse(String(row.values.created)) > seconds * 1000
}

/** Kinds of rows that expire: codes and pending sign-ins. */
type OpenKind = 'otps' | 'mfas'

/** Most rows of one kind per record, in addition to other limits; the oldest is removed first. */
const mostOpen = 100

/** Rows of other records that are checked when a row is added: more than one, so that expired rows become fewer. */
const mostSwept = 10

/** Seconds until a row of a kind expires, from the table of the record that it belongs to. */
export function lifetimeOf(kind: OpenKind, { definition }: Table): number {
  return kind === 'otps' ? (definition.otp?.duration ?? 180) : (definition.mfa?.duration ?? 600)
}

/**
 * Makes room for another row of a kind: removes expired or surplus rows of the record, and the oldest expired rows of
 * other records. So rows do not accumulate, even for records that are never used again.
 */
export function makeRoom(
  writer: Writer,
  kind: OpenKind,
  table: Table,
  row: Row,
  environment: Environment,
): void {
  const owned = ownedTable(writer, kind)
  for (const one of ownedRows(writer, kind, table, row)) {
    if (isOlder(one, lifetimeOf(kind, table), environment)) writer.remove(owned, one)
  }
  const open = ownedRows(writer, kind, table, row)
  for (const oldest of open.slice(0, Math.max(0, open.length - mostOpen + 1))) writer.remove(owned, oldest)
  for (const oldest of oldestRows(writer, owned)) {
    const owner = writer.table(String(oldest.values.collectionRef))
    if (owner !== undefined && !isOlder(oldest, lifetimeOf(kind, owner), environment)) return
    writer.remove(owned, oldest)
  }
}

function oldestRows(reader: Reader, table: Table): Row[] {
  const oldest: Row[] = []
  for (const row of reader.scan(table)) {
    if (oldest.push(row) === mostSwept) break
  }
  return oldest
}
