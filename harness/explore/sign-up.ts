/**
 * Accounts of an exploration, which a run signs up as any guest may.
 *
 * @module
 */

import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { createdId, recordOfCreate, signedInRecord } from '../cleanup/record-of-create.ts'
import { isRejected, mayBeAboutBody } from '../judging/expect.ts'
import { idOf } from '../ownership/prior-records.ts'
import { isAbsent } from '../target/is-absent.ts'
import type { Api, ApiResponse, Body } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { extraKeys } from '../wire/extra-keys.ts'
import { madeUpAddress } from '../wire/made-up-address.ts'
import { passwordKeys } from '../wire/password-keys.ts'
import { redirectOf } from '../wire/redirect.ts'
import { complainsOfConfirmation, confirmKey, confirmNames, resetKey, sentName } from './confirm-names.ts'
import { createWithRequired } from './create-with-required.ts'
import { isAccount } from './find-tables.ts'

const PASSWORD = 'Still-Raven-No.3'
/** Names of a second password that are tried. */
const mostNames = 8

export interface TriedAccount {
  /** Absent: no response contained it. */
  id: string | undefined
  token: string
}

export interface SignUpOptions {
  /** Who creates the account. @default 'guest' */
  by?: 'guest' | 'superuser'
  /** Its fields in addition to address and password. @default none */
  fields?: Body
  /** Verifies an account that cannot sign in. @default it stays as it is */
  verify?: Verify
}

/** @returns whether the account of the address is verified now */
export type Verify = (table: TableRef, email: string) => Promise<boolean>

/**
 * @returns the account, and the table with the values that it requires, and with the field that signs in, if the address does
 *   not; or the response that is not one, whether there is an account nevertheless, and the values that it required
 */
export async function trySignUp(
  session: Wire & CleanUp,
  members: TableRef,
  email: string,
  { by = 'guest', fields = {}, verify }: SignUpOptions = {},
): Promise<
  | { account: TriedAccount; table: TableRef }
  | { problem: ApiResponse; createsAccount: boolean; table: TableRef }
> {
  const [guest, maker] = [session.api('guest'), session.api(by)]
  const { response: created, table } = await createWithConfirm(session, () =>
    createWithRequired(session, maker, members, (each) =>
      maker.create(each, { ...accountOf(session, email), ...fields }),
    ),
  )
  if (!created.ok) return { problem: created, createsAccount: false, table }
  const signIn = () => firstSignIn(guest, table, identitiesOf(created, table, email))
  let { field, signedIn, token } = await signIn()
  if (token === undefined && isRejected(signedIn) && (await verify?.(table, email)) === true)
    ({ field, signedIn, token } = await signIn())
  if (token === undefined) {
    const record = await recordOfCreate(session, maker, members, created)
    return { problem: signedIn, createsAccount: record !== undefined && isAccount(record), table }
  }
  session.redactor.give(token, '$TOKEN_ACCOUNT')
  const id = createdId(created) ?? idOf(await signedInRecord(session, members, created, signedIn))
  const { identity: _, ...byAddress } = table
  return {
    account: { id, token },
    table: field === undefined ? byAddress : { ...byAddress, identity: field },
  }
}

type Identity = readonly [field: string | undefined, identity: string]

/** Signs in with one identity after the other; without a token, the response to the first one, which is the likeliest. */
async function firstSignIn(
  guest: Api,
  table: TableRef,
  [[field, identity], ...others]: readonly [Identity, ...Identity[]],
): Promise<{ field: string | undefined; signedIn: ApiResponse; token?: string }> {
  const signedIn = await guest.authWithPassword(table, { identity, password: PASSWORD })
  const { token } = isObject(signedIn.body) ? signedIn.body : {}
  if (typeof token === 'string') return { field, signedIn, token }
  const [next, ...rest] = others
  // Only a sign-in that was rejected may have had the wrong identity.
  if (next === undefined || !isRejected(signedIn)) return { field, signedIn }
  const later = await firstSignIn(guest, table, [next, ...rest])
  return later.token === undefined ? { field, signedIn } : later
}

/** What may sign in an account, the likeliest first: its address, and values that it was given and that may be usernames. */
function identitiesOf(
  { exchange }: ApiResponse,
  { values = {}, identity }: TableRef,
  email: string,
): [Identity, ...Identity[]] {
  const sent = jsonObject(exchange.request.body) ?? {}
  const address: Identity = [undefined, email]
  const named = Object.keys(values)
    .filter((field) => field !== identity && /user|login|nick|handle|account/i.test(field))
    .flatMap((field): Identity[] => (typeof sent[field] === 'string' ? [[field, sent[field]]] : []))
  const username = sent[identity ?? '']
  return typeof username === 'string' ? [[identity, username], ...named, address] : [address, ...named]
}

interface Created {
  response: ApiResponse
  table: TableRef
}

/**
 * Creates an account; where that is rejected, again with other names for the second password, or without one, unless the
 * tester names it. A strict server rejects a key that it does not know, and one that checks whether both are the same misses
 * the other one. The session keeps the name of the create that was accepted.
 *
 * @returns the create that was accepted, else the one that is rejected for something else, else the first one
 */
async function createWithConfirm(session: Wire, create: () => Promise<Created>): Promise<Created> {
  const given = session.target
  const before = sentName(given.binding)
  const first = await create()
  // A target file that claims a profile says what the key is called.
  const isSaid = given.profile !== undefined && given.explored === undefined
  if (isSaid || given.named?.includes(confirmKey)) return first
  const isForIt = complainsOfConfirmation(first.response, before)
  const tried = [before]
  for (let last = first; tried.length <= mostNames && mayBeAboutBody(last.response); ) {
    const [sent = ''] = tried.slice(-1)
    const name = confirmNames(last.response, sent).find((each) => !tried.includes(each))
    if (name === undefined) break
    tried.push(name)
    session.target = { ...given, binding: { ...given.binding, [confirmKey]: name } }
    last = await create()
    if (last.response.ok) await tryReset(session, last.table, before)
    if (last.response.ok || (isForIt && !complainsOfConfirmation(last.response, name))) return last
  }
  session.target = given
  return first
}

/**
 * Gives the second password of a reset the name that it has in a sign-up, if only then a reset with a wrong proof is not
 * rejected for it.
 *
 * @param before the name that sign-ups had
 */
async function tryReset(session: Wire, { role, name }: TableRef, before: string): Promise<void> {
  const given = session.target
  const { binding, named } = given
  const sent = sentName(binding, resetKey)
  // Another name than that of sign-ups was set on purpose.
  if (sent !== before || named?.includes(resetKey) || isAbsent(given, 'confirmPasswordReset')) return
  const isRejectedForIt = async () => {
    const body = { token: 'not-the-proof', password: PASSWORD, passwordConfirm: PASSWORD }
    const response = await session.api('guest').confirmPasswordReset({ role, name }, body)
    const key = sentName(session.binding, resetKey)
    return !isRejected(response)
      ? undefined
      : mayBeAboutBody(response) && complainsOfConfirmation(response, key)
  }
  if ((await isRejectedForIt()) !== true) return
  session.target = { ...given, binding: { ...binding, [resetKey]: binding[confirmKey] ?? '' } }
  if ((await isRejectedForIt()) !== false) session.target = given
}

/**
 * An account that is deleted at the very end: only such an account may see or delete what was created in its name. A
 * superuser creates it, if one is known: guests may not be allowed to sign up, and only a verified account to write.
 *
 * @param help.onProblem is given what kept an account from being created, or from signing in
 * @param help.verify verifies one that cannot sign in
 * @returns undefined if no account could be created that can sign in
 */
export async function keptAccount(
  session: Wire & CleanUp,
  members: TableRef,
  unique: (prefix?: string) => string,
  help: { onProblem?: (response: ApiResponse) => void; verify?: Verify } = {},
): Promise<TriedAccount | undefined> {
  const mark = session.cleanup.mark()
  const ways: SignUpOptions[] = session.actors.knows('superuser')
    ? [{ by: 'superuser', fields: { verified: true } }, {}, { by: 'superuser' }]
    : [{}]
  const signUp = async () => {
    for (const way of ways) {
      const result = await trySignUp(session, members, madeUpAddress(session, unique('account')), {
        ...way,
        ...help,
      })
      if ('account' in result) return result.account
      help.onProblem?.(result.problem)
    }
    return undefined
  }
  const account = await signUp()
  session.cleanup.keepToTheEnd(mark, members.name)
  return account
}

function accountOf({ binding }: Wire, email: string): Body {
  return {
    ...extraKeys('signUp', binding),
    email,
    ...passwordKeys(binding, PASSWORD),
  }
}

/** Status and beginning of a response, for a note, or where it redirects to. */
export function shownResponse(response: ApiResponse): string {
  const { status, exchange } = response
  const elsewhere = redirectOf(response, exchange.request.url)
  if (elsewhere !== undefined) return `${status} to ${elsewhere.href.slice(0, mostShown)}`
  const body = (exchange.response?.body ?? '').replaceAll(/\s+/g, ' ').trim()
  return `${status} ${body.slice(0, mostShown)}`.trim()
}

/** Characters of a response that a note shows. */
const mostShown = 160
