/**
 * Tries what a guest and a fresh account may do in an auth table: sign up, and view, update and delete oneself.
 *
 * @module
 */

import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { soundsSecret } from '../../exchange/secrets/secret-names.ts'
import { visibleJson } from '../../exchange/visible.ts'
import { inWords } from '../../spec/in-words.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { BlockedError, ExpectationError, isRejected, mayBeAboutBody } from '../judging/expect.ts'
import { defined } from '../support/defined.ts'
import type { Api, ApiResponse, Body } from '../vocabulary/api.ts'
import type { CleanUp, ClosedTable, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { madeUpAddress } from '../wire/made-up-address.ts'
import { mfaIdIn } from '../wire/mfa-id.ts'
import { complainsOfConfirmation, confirmKey, confirmWords, sentName } from './confirm-names.ts'
import { isNowhere } from './is-nowhere.ts'
import { recognizedMethods, reportedUsername } from './reported-methods.ts'
import { shownResponse, trySignUp } from './sign-up.ts'
import { likeliestFirst, textsOf } from './try-record.ts'
import { usableResponse } from './usable-response.ts'

/** What an exploration found out about the accounts of a table. */
export interface TriedTable {
  /** A guest signs up and in. */
  signsUp: boolean
  /** A sign-up leaves a record with an email that is or is not verified, even if no sign-in follows. */
  createsAccount: boolean
  /** What there is to say of it, in a line. */
  note: string
  /** The field that an account may change, if the field `name` is another one here. */
  fields?: TableRef['fields']
  /** What a sign-up requires in addition to address and password. */
  values?: TableRef['values']
  /** The field that signs accounts in, if their address does not. */
  identity?: TableRef['identity']
  /** What keeps the run from signing up accounts, although guests may. */
  closed?: Pick<ClosedTable, 'rejected' | 'needs'>
}

/** Signs up as a guest does, and finds out what the account may do with itself. */
export async function tryAccount(
  session: Wire & CleanUp & TargetFacts,
  given: TableRef,
  unique: (prefix?: string) => string,
): Promise<TriedTable> {
  const mark = session.cleanup.mark()
  const methods = await usableResponse(() => session.api('guest').authMethods(given))
  const members: TableRef = { ...given, ...defined({ identity: reportedUsername(methods?.body) }) }
  const signUp: TriedTable = {
    signsUp: true,
    createsAccount: true,
    note: `guests may sign up in ${members.name}`,
  }
  const before = session.binding
  try {
    const email = madeUpAddress(session, unique('account'))
    const result = await trySignUp(session, members, email)
    if ('problem' in result)
      return (
        (await bySuperuser(session, members, result.problem, before, unique)) ??
        (await withoutAccount(session, members, email, result))
      )
    const confirm = confirmWords(before, session.binding)
    if (confirm !== undefined) signUp.note += `, with ${confirm}`
    const { id, token } = result.account
    const { values, identity } = result.table
    if (values !== undefined) {
      signUp.values = values
      signUp.note += `, with ${visibleJson(values)} in addition to address and password`
    }
    if (identity !== undefined) {
      signUp.identity = identity
      signUp.note += `, and sign in by "${identity}" instead of the address`
    }
    if (id === undefined) return signUp
    const { accepted, deletion, field } = await tryItself(session, result.table, { id, token }, unique)
    const itself = accepted.length === 0 ? 'do nothing with' : inWords(accepted)
    const note = `${signUp.note}; an account may ${itself} itself`
    const fields = defined({ fields: nameIn(field) })
    if (!(await isForbidden(session, members, deletion))) return { ...signUp, ...fields, note }
    const rejected = shownResponse(deletion)
    return {
      signsUp: false,
      createsAccount: true,
      note: `${note}, and its delete is rejected (${rejected}): no one could delete the accounts of the checks`,
      closed: { rejected, needs: 'deletion' },
    }
  } catch (error) {
    // The checks report what the server does wrong.
    if (error instanceof ExpectationError || error instanceof BlockedError)
      return { ...signUp, signsUp: false }
    throw error
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

function nameIn(field: string | undefined): TableRef['fields'] {
  return field === undefined || field === 'name' ? undefined : { name: field }
}

/** Where guests may not sign up, what comes of an account that the superuser creates. Undefined if it creates none. */
async function bySuperuser(
  session: Wire & CleanUp & TargetFacts,
  members: TableRef,
  problem: ApiResponse,
  before: Binding,
  unique: (prefix?: string) => string,
): Promise<TriedTable | undefined> {
  if (!isSignUp(problem) || !session.actors.knows('superuser')) return undefined
  const create = (fields?: Body) =>
    trySignUp(session, members, email, { by: 'superuser', ...defined({ fields }) })
  const email = madeUpAddress(session, unique('account'))
  let result = await create({ verified: true })
  // A strict server may reject a field that only it may set.
  if ('problem' in result && isSignUp(result.problem)) result = await create()
  const { values, identity } = result.table
  if ('problem' in result) {
    if (isSignUp(result.problem)) return undefined
    return withoutAccount(session, members, email, result)
  }
  const { id } = result.account
  const root = session.api('superuser')
  const view = id === undefined ? undefined : await root.view(members, id)
  const field =
    id !== undefined && view?.ok === true
      ? await changeableField(root, result.table, id, view.body, unique)
      : undefined
  const confirm = confirmWords(before, session.binding)
  const note = rejectionText(session, members, problem, false)
  return {
    signsUp: false,
    createsAccount: true,
    note: confirm === undefined ? note : `${note}, with ${confirm}`,
    ...defined({ values, identity, fields: nameIn(field) }),
  }
}

/** What a sign-up or sign-in that was rejected says about the table. */
async function withoutAccount(
  session: Wire & CleanUp & TargetFacts,
  members: TableRef,
  email: string,
  {
    problem,
    createsAccount,
    table: { values, identity },
  }: { problem: ApiResponse; createsAccount: boolean; table: TableRef },
): Promise<TriedTable> {
  const { name } = members
  const rejected = shownResponse(problem)
  if (mfaIdIn(problem) !== undefined)
    return {
      signsUp: false,
      createsAccount: true,
      note: `${name} needs a second factor after the password (${rejected}): the checks that sign in with a password alone need another table`,
      closed: { rejected, needs: 'second factor' },
    }
  const isMissing = !isSignUp(problem) && (await isNowhere(session, members, problem))
  if (!isMissing && (await isUnverified(session, members, email, problem)))
    return {
      signsUp: false,
      createsAccount,
      note: `${name} rejects the password of a new account, but not like a wrong one (${rejected}): the account may have to be verified first, and no one could delete the accounts of the checks`,
      closed: { rejected, needs: 'verification' },
    }
  if (!isMissing && (await isPasswordless(session, members, problem)))
    return {
      signsUp: false,
      createsAccount: true,
      note: `${name} reports no sign-in by password, and rejects it (${rejected}): the checks that sign in with a password need another table`,
      closed: { rejected, needs: 'another method' },
    }
  const note = rejectionText(session, members, problem, isMissing)
  return { signsUp: false, createsAccount, note, ...defined({ values, identity }) }
}

/** What an account may do with itself, the response to its delete, and a field that it may change. */
async function tryItself(
  session: Wire,
  members: TableRef,
  { id, token }: { id: string; token: string },
  unique: (prefix?: string) => string,
): Promise<{ accepted: string[]; deletion: ApiResponse; field: string | undefined }> {
  const api = session.api('guest').withToken(token, 'account')
  // If a guest sees the account, a 404 for a guest shows later that it is gone.
  await session.api('guest').view(members, id)
  const view = await api.view(members, id)
  const update = await api.update(members, id, {})
  const field = isRejected(view) ? undefined : await changeableField(api, members, id, view.body, unique)
  const deletion = await api.delete(members, id)
  const accepted = Object.entries({ view, update, delete: deletion }).flatMap(([action, response]) =>
    isRejected(response) ? [] : [action],
  )
  return { accepted, deletion, field }
}

/** Names that servers give to a text of an account, the likeliest first. */
const usualNames: readonly string[] = [
  'name',
  'displayName',
  'display_name',
  'fullName',
  'full_name',
  'firstName',
  'first_name',
  'nickname',
  'bio',
]
/** Fields that are tried. */
const mostFields = 5

/** The first text of an account that shows what an update sets it to: the document names none (section 2.2). */
async function changeableField(
  api: Api,
  members: TableRef,
  id: string,
  account: unknown,
  unique: (prefix?: string) => string,
): Promise<string | undefined> {
  const { identity } = members
  const isFree = (field: string) => field !== 'email' && field !== identity && !soundsSecret(field)
  const texts = isObject(account) ? textsOf(account).filter(isFree) : []
  // A server may omit a field that was never set. What signs in is changed only if there is nothing else.
  const candidates = [
    ...new Set([...likeliestFirst(texts, usualNames), 'name', ...(identity ? [identity] : [])]),
  ]
  for (const field of candidates.slice(0, mostFields)) {
    const text = unique('name')
    const update = await api.update(members, id, { [field]: text })
    const { body } = update.ok ? await api.view(members, id) : {}
    if (isObject(body) && body[field] === text) return field
  }
  return undefined
}

/** Whether the password was right, as far as the response to another one shows, and no superuser could verify the account. */
async function isUnverified(
  session: Wire,
  members: TableRef,
  email: string,
  problem: ApiResponse,
): Promise<boolean> {
  if (isSignUp(problem) || session.actors.knows('superuser') || !isRejected(problem)) return false
  const { identity = email } = jsonObject(problem.exchange.request.body) ?? {}
  const body = { identity, password: 'not the password' }
  const { status, text } = await session.api('guest').authWithPassword(members, body)
  return status !== problem.status || text !== problem.text
}

/** Whether the server says itself that the table has no passwords. What it rejects although it reports it, the checks judge. */
async function isPasswordless(session: Wire, members: TableRef, problem: ApiResponse): Promise<boolean> {
  if (isSignUp(problem) || !isRejected(problem)) return false
  const { ok, body } = await session.api('guest').authMethods(members)
  return ok && recognizedMethods(body, session.binding)?.password !== true
}

/** Whether a delete is an operation that the server has, and that neither the account itself nor anyone known to the run may use. */
async function isForbidden(
  session: Wire & CleanUp & TargetFacts,
  members: TableRef,
  deletion: ApiResponse,
): Promise<boolean> {
  if (!isRejected(deletion) || session.actors.knows('superuser')) return false
  return !(await isNowhere(session, members, deletion))
}

function rejectionText(session: Wire, members: TableRef, problem: ApiResponse, isMissing: boolean): string {
  const response = shownResponse(problem)
  if (isMissing)
    return `guests may sign up in ${members.name}, but password sign-in does not exist: auth-with-password responds like a path that does not exist (${response}). Implement it next`
  const rejects = problem.status >= 300 && problem.status < 400 ? 'redirects' : 'rejects'
  return `${members.name} ${rejects} ${isSignUp(problem) ? 'a sign-up' : 'a sign-in'} with ${sentWith(problem)} (${response}): ${accountsText(session, problem)}`
}

/** In words, what an account was signed up with, or signed in. */
function sentWith({ exchange }: ApiResponse): string {
  const keys = Object.keys(jsonObject(exchange.request.body) ?? {})
  const others = keys.filter((key) => !/^(identity|verified|.*(e-?mail|passw).*)$/i.test(key))
  return inWords(['email', 'password', ...others.map((key) => JSON.stringify(key))])
}

/** What a rejected sign-up or sign-in means for the run. */
function accountsText({ actors, binding }: Wire, problem: ApiResponse): string {
  if (!isSignUp(problem)) return 'the checks that need an account cannot run'
  if (mayBeAboutBody(problem) && complainsOfConfirmation(problem, sentName(binding)))
    return `the checks that need an account cannot run; if the password is repeated under a name of the server's own, or not at all, say so in a target file: "binding": { "${confirmKey}": "<the name, or nothing>" }`
  if (mayBeAboutBody(problem))
    return 'the checks that need an account cannot run; if it requires other keys, or addresses at a domain of its own, say so in a target file: "binding": { "body.signUp": "{\\"key\\": \\"value\\"}", "signUp.domain": "your.domain" }'
  return actors.knows('superuser')
    ? 'the superuser creates the accounts that the checks need'
    : 'the checks that need an account cannot run'
}

function isSignUp({ exchange }: ApiResponse): boolean {
  return exchange.operation === 'createRecord'
}
