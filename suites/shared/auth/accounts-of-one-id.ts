import { expectEqual } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, newAccount } from './accounts.ts'
import { shownIn } from './session-in.ts'
import { type SignedIn, sessionOf } from './sessions.ts'

/**
 * Creates an account of `members` and one of another auth table with the same id and another address. A server that finds
 * accounts by their id alone confuses them. Undefined: the target does not have the table, a client may not give an id, or
 * an id must be unique in all auth tables.
 */
export async function accountsOfOneId(
  context: CheckContext,
  role: string,
): Promise<[Account, Account] | undefined> {
  if (!context.hasTable(role)) return undefined
  const make = () => unlessPrevented(() => newPair(context, role))
  const possible = await context.once(`accounts of members and ${role} with the same id`, async () => {
    const first = await make()
    return first !== undefined
  })
  return possible ? make() : undefined
}

async function newPair(context: CheckContext, role: string): Promise<[Account, Account] | undefined> {
  const member = await newAccount(context)
  const other = await newAccount(context, role, { id: member.id })
  return other.id === member.id ? [member, other] : undefined
}

/** The same with sessions by password. Undefined also where one of them cannot sign in by it. */
export async function signedInWithOneId(context: CheckContext): Promise<[SignedIn, SignedIn] | undefined> {
  const [member, staff] = (await accountsOfOneId(context, 'staff')) ?? []
  if (member === undefined || staff === undefined) return undefined
  return unlessPrevented(async () => [await sessionOf(context, member), await sessionOf(context, staff)])
}

/** The record in a response, if there is one, is the account in its own table: ids may be unique only within a table. */
export function expectOfSameTable(
  response: ApiResponse,
  { record }: Pick<Account, 'record'>,
  what: string,
): void {
  const shown = shownIn(response)
  const keys = ['id', 'collectionId', 'collectionName'].filter((key) => key in shown && key in record)
  expectEqual(
    keys.map((key) => shown[key]),
    keys.map((key) => record[key]),
    `${keys.join(', ')} of the record in ${what}`,
  )
}
