/**
 * Accounts for the checks on sign-in. What a check needs but does not judge is `blocked` when it fails.
 *
 * @module
 */

import { UntestableError } from '../../../harness/judging/expect.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { extraKeys } from '../../../harness/wire/extra-keys.ts'
import { madeUpAddress } from '../../../harness/wire/made-up-address.ts'
import { passwordKeys } from '../../../harness/wire/password-keys.ts'
import { unlessPrevented } from '../unless-prevented.ts'

/**
 * With capital and small letters, a digit and punctuation marks, as many servers demand, without spaces, and of a length
 * between the usual minimum and maximum.
 */
export const PASSWORD = 'Vivid-Otter-No.1'

export const OTHER_PASSWORD = 'Quiet-Heron-No.2'

/** An auth record with what signs it in. */
export interface Account {
  table: TableRef
  record: WireRecord
  id: string
  email: string
  password: string
}

/**
 * An address that no account has. In lower case, because some servers compare addresses with case.
 *
 * @param word that it begins with
 */
export function newEmail(context: CheckContext, word = 'm'): string {
  return madeUpAddress(context, context.unique(word)).toLowerCase()
}

/** An address as it is compared: a server may show it in other letters. */
export function addressOf(email: unknown): unknown {
  return typeof email === 'string' ? email.toLowerCase() : email
}

type Bound = Pick<CheckContext, 'binding'>

/** What the target calls a new password, its confirmation, and the one before. */
export function passwordNames({ binding }: Bound) {
  return {
    password: binding['signUp.password'] ?? 'password',
    confirm: binding['signUp.passwordConfirm'] ?? 'passwordConfirm',
    old: binding['signUp.oldPassword'] ?? 'oldPassword',
  }
}

/** A new password under the target's names; `old` if its owner must know the previous one. */
export function passwordBody(context: Bound, password: string, old?: string): Record<string, string> {
  return passwordKeys(context.binding, password, old)
}

/** Body of a sign-up, with the target's field names and the keys that it requires in addition. */
export function signUpBody(context: Bound, fields: Body, password = PASSWORD): Body {
  return { ...extraKeys('signUp', context.binding), ...passwordBody(context, password), ...fields }
}

/** A name to sign in by: letters, digits and underscores alone. @param word that it begins with */
export function newUsername({ unique }: Pick<CheckContext, 'unique'>, word = 'user'): string {
  return unique(word).replaceAll('-', '_')
}

/** Whether accounts of a table sign in by username alone (document, section 2.2), as its mapping says. */
export function isByUsername({ identity }: TableRef): boolean {
  return identity !== undefined
}

/**
 * The role of an auth table in which the email address is an identity.
 *
 * @throws UntestableError if there is none
 */
export function roleByAddress({ hasTable, table }: CheckContext): string {
  const role = ['members', 'staff'].find((each) => hasTable(each) && !isByUsername(table(each)))
  if (role !== undefined) return role
  const { name, identity } = table('members')
  throw new UntestableError(
    `accounts of ${name} sign in by ${identity} alone: no email address is an identity there`,
    'target file: map the role "members" or "staff" to a table whose accounts sign in by their email addresses or, if there is none, say so under "notApplicable"',
  )
}

/** A new account, made by the most able actor there is. */
export async function newAccount(
  context: CheckContext,
  role = 'members',
  fields: Body = {},
): Promise<Account> {
  const table = context.table(role)
  const email = newEmail(context)
  const body = signUpBody(context, { email, ...fields })
  // A table without passwords may have no field for one.
  const record =
    role === 'passwordless'
      ? ((await unlessPrevented(() => context.make(table, body))) ??
        (await context.make(table, { ...extraKeys('signUp', context.binding), email, ...fields })))
      : await context.make(table, body)
  return { table, record, id: record.id, email: String(fields.email ?? email), password: PASSWORD }
}

/** A new account with this address and password. */
export async function accountWith(
  context: CheckContext,
  email: string,
  password: string,
  role = 'members',
): Promise<Account> {
  const table = context.table(role)
  const record = await context.make(table, signUpBody(context, { email }, password))
  return { table, record, id: record.id, email, password }
}

/** Signs up as a guest, not as the superuser. */
export async function signUp(context: CheckContext, fields: Record<string, unknown> = {}) {
  const email = newEmail(context)
  const response = await context.api.create(
    context.table('members'),
    signUpBody(context, { email, ...fields }),
  )
  return { response, email }
}
