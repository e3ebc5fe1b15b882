/**
 * The record that a provider's user signs in as, and how the sign-in changes it (contract-auth 6.4, 6.5).
 *
 * @module
 */

import { badRequest, blank, type ErrorData, notUnique } from '../../errors.ts'
import { UniqueViolation } from '../../store/unique-violation.ts'
import type { Caller, Environment, Reader, Row, SignedInCaller, Table, Writer } from '../../vocabulary.ts'
import { type AccountChange, changeAccount, emailOf, findByEmail, randomPassword } from '../account.ts'
import { addOwned, ownedRows, ownedTable, removeOwned } from '../owned-rows.ts'
import type { ProviderUser } from './provider-user.ts'

const rejection = 'Failed to authenticate.'

/** A sign-in by a user of a provider. */
export interface ProviderSignIn {
  table: Table
  /** Name of the provider in the options of the table. */
  provider: string
  user: ProviderUser
  /** Who sent the request. */
  caller: Caller
  environment: Environment
}

function findLink(reader: Reader, table: Table, provider: string, providerId: string): Row | undefined {
  const links = ownedTable(reader, 'externalAuths')
  const index = links.uniqueIndexes.find(({ columns }) => columns.some(({ field }) => field === 'providerId'))
  return index && providerId ? reader.lookup(links, index, [table.id, provider, providerId]) : undefined
}

/** The record to sign in as: the linked one, or the caller's own, or the one with the verified address. */
export function findLinked(
  reader: Reader,
  { table, provider, user, caller }: ProviderSignIn,
): Row | undefined {
  const link = findLink(reader, table, provider, user.id)
  const linked = link && reader.get(table, String(link.values.recordRef))
  if (linked !== undefined) return linked
  if (isOwn(caller, table)) return reader.get(table, caller.row.id)
  return findByEmail(reader, table, user.email)
}

function isOwn(caller: Caller, table: Table): caller is SignedInCaller {
  return (caller.kind === 'record' || caller.kind === 'superuser') && caller.table.id === table.id
}

/**
 * The changes that the sign-in makes to an existing record. Another person may have signed up with an address that was
 * never verified, so the password that they set is replaced, unless the caller is the record itself.
 */
function changeOf({ table, user, caller, environment }: ProviderSignIn, row: Row): AccountChange {
  const own = isOwn(caller, table) && caller.row.id === row.id
  const verified = row.values.verified === true
  const email = emailOf(row)
  const fillsEmail = email === '' && user.email !== ''
  return {
    ...(!verified && !own && { password: randomPassword(environment) }),
    ...(fillsEmail && { email: user.email }),
    ...(!verified && (email === '' || email === user.email) && { verified: true }),
  }
}

/** @throws ApiError 400 when the provider's user has no id, or another account of this provider is already linked */
function addLink(writer: Writer, { table, provider, user, environment }: ProviderSignIn, row: Row): void {
  if (user.id === '')
    throw badRequest(() => `${provider} returned no id for the user.`, rejection, { providerId: blank })
  const present = ownedRows(writer, 'externalAuths', table, row)
  if (present.some(({ values }) => values.provider === provider && values.providerId === user.id)) return
  try {
    addOwned(writer, 'externalAuths', table, row, { provider, providerId: user.id }, environment)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const data: ErrorData = {}
    for (const column of error.columns) data[column] = notUnique
    throw badRequest(
      () =>
        `Another account of ${provider} is linked to ${table.name}/${row.id}, or this one to another record.`,
      rejection,
      data,
    )
  }
}

/** Links an existing record. @returns the record after the change */
export function linkRecord(writer: Writer, signIn: ProviderSignIn, found: Row): Row {
  const { table, environment } = signIn
  const change = changeOf(signIn, found)
  const changed = Object.keys(change).length > 0
  const row = changed ? changeAccount(writer, table, found, change, environment) : found
  // Links that were made before the address was verified may belong to another person.
  if (found.values.verified !== true) removeOwned(writer, ['externalAuths'], table, row)
  addLink(writer, signIn, row)
  return row
}

/** Links a new record, and marks its address as verified if the provider reports it as verified. */
export function linkNewRecord(writer: Writer, signIn: ProviderSignIn, made: Row): Row {
  const { table, user, environment } = signIn
  const known = emailOf(made) === user.email && made.values.verified !== true
  const row = known ? changeAccount(writer, table, made, { verified: true }, environment) : made
  addLink(writer, signIn, row)
  return row
}
