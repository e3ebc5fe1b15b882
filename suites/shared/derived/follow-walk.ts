/**
 * Follows the links of a walk, and expects of each response what holds for every server. The walk ends early where a
 * response does not have what the next link takes from it, or no email arrives.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { ExpectationError, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind } from '../../../harness/vocabulary/target.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { OTHER_PASSWORD, PASSWORD } from '../auth/accounts.ts'
import { newOtp } from '../auth/email-flows.ts'
import { admittedPerson, newProviderPerson, oauthBody, REDIRECT, visitProvider } from '../auth/oauth.ts'
import { textFieldOf } from '../records/text-field-of.ts'
import { isPrevention } from '../unless-prevented.ts'
import { expectWellFormed } from './derived-property.ts'
import type { Draft } from './draft.ts'
import { expressed, type Link, pointed } from './links.ts'
import { sendDraft } from './send-draft.ts'
import { begin, type Position } from './starts.ts'
import { draftOf } from './valid-record-request.ts'
import { firstFactorIn, type Walk } from './walks.ts'

const secrets = [PASSWORD, OTHER_PASSWORD]
/** Operations whose successful response is the record of the path. */
const showing: readonly OperationId[] = ['viewRecord', 'updateRecord']

const changing: readonly OperationId[] = ['updateRecord', 'deleteRecord']

/**
 * @param accepted whether every request of the walk must be accepted, and every link lead on
 * @returns whether the target accepted any request of the walk: a server that rejects everything shows nothing
 */
export async function followWalk(context: CheckContext, walk: Walk, accepted = false): Promise<boolean> {
  const { start, links, title } = walk
  const firstFactor = firstFactorIn(walk)
  /** Other checks report what is missing on the way. */
  const ready = async (get: () => Promise<Position | undefined>): Promise<Position | undefined> => {
    try {
      return await get()
    } catch (error) {
      if (accepted || !isPrevention(error)) throw error
      return undefined
    }
  }
  let position = await ready(() => begin(context, start))
  if (position === undefined) return false
  let isAccepted = false
  for (const [at, link] of [...links, undefined].entries()) {
    const what = `${position.draft.operation}, request ${at + 1} of the walk "${title}",`
    const emails = link === undefined || !asksEmail(link) ? 0 : await context.mail.count()
    const response = await sendDraft({ context, ...position }, position.draft)
    expectWellFormed(context, response, what, secrets)
    expectSameRecord(position.draft, response, what)
    const isFirstFactor = at === firstFactor && response.status === 401
    if (accepted && !isFirstFactor) expectSuccess(response, what)
    isAccepted ||= response.ok || isFirstFactor
    if (link === undefined || !(response.ok ? link.status !== '401' : isFirstFactor)) return isAccepted
    const from = position
    const next = await ready(() => nextPosition(context, from, response, link, emails))
    if (next === undefined && accepted)
      throw new ExpectationError(
        `the response to ${what} lacks what the link ${link.name} takes from it`,
        'a value',
        response.text,
      )
    if (next === undefined) return isAccepted
    position = next
  }
  return isAccepted
}

/** A record that is found by its identifier has that identifier. */
function expectSameRecord({ operation, path }: Draft, response: ApiResponse, what: string): void {
  if (!response.ok || !showing.includes(operation) || !isObject(response.body)) return
  const { id } = response.body
  expectThat(id === undefined || id === path.id, `${what} returned another record`, String(path.id), id)
}

const asksEmail = ({ email }: Link) => Object.keys(email).length > 0

/** The request to which the link leads. Undefined if the response lacks a value that it needs. */
async function nextPosition(
  context: CheckContext,
  position: Position,
  received: ApiResponse,
  link: Link,
  emails: number,
): Promise<Position | undefined> {
  const response = { headers: received.headers, body: received.body }
  const taken = (values: Link['parameters']) =>
    Object.entries(values).map(([name, value]) => [name, expressed(value, position.draft, response)] as const)
  const parameters = taken(link.parameters)
  const body = taken(link.body)
  const token = link.token === undefined ? undefined : expressed(link.token, position.draft, response)
  const isMissing = [...parameters, ...body].some(([, value]) => value === undefined)
  if (isMissing || (link.token !== undefined && typeof token !== 'string')) return undefined

  const me = knownNow(position)
  const fromEmail = await emailed(context, position.draft, link, emails)
  const rest = await restOf(context, { ...position, ...(me && { me }) }, link, received)
  const bare = draftOf(link.to, {}, rest && { ...rest, ...Object.fromEntries(body), ...fromEmail })
  const isInPath = (name: string) => bare.template.includes(`{${name}}`)
  const strings = parameters.map(([name, value]) => [name, String(value)] as const)
  const draft: Draft = {
    ...bare,
    path: Object.fromEntries(strings.filter(([name]) => isInPath(name))),
    query: strings.filter(([name]) => !isInPath(name)),
  }
  if (position.only !== undefined && changing.includes(link.to) && draft.path.id !== position.only)
    return undefined
  const as = typeof token === 'string' ? context.api.withToken(token, 'user') : position.as
  return { ...position, draft, as, ...(me && { me }) }
}

/** The account, as the request before has left it. */
function knownNow({ draft: { operation, body }, me }: Position): Position['me'] {
  if (me === undefined || !isObject(body)) return me
  if (operation === 'confirmPasswordReset') return { ...me, password: String(body.password) }
  return operation === 'requestEmailChange' ? { ...me, email: String(body.newEmail) } : me
}

/** What the next request takes from the email that this one causes. */
async function emailed(context: CheckContext, { body }: Draft, link: Link, after: number): Promise<Body> {
  if (!asksEmail(link)) return {}
  const sent = isObject(body) ? body : {}
  const { mail } = context
  const received = await mail.waitFor({ to: String(sent.newEmail ?? sent.email), after })
  const values = Object.entries(link.email).map(([key, part]) => [
    key,
    part === 'code' ? mail.code(received) : mail.token(received, flowOf(link.to)),
  ])
  return Object.fromEntries(values)
}

function flowOf(id: OperationId): ConfirmationKind {
  if (id === 'confirmVerification') return 'verification'
  return id === 'confirmPasswordReset' ? 'password-reset' : 'email-change'
}

/** The keys of the body that the link leaves to the client. Undefined: the request has no body. */
async function restOf(
  context: CheckContext,
  { table, me }: Position,
  { from, to, status }: Link,
  { body }: ApiResponse,
): Promise<Body | undefined> {
  switch (to) {
    case 'updateRecord': {
      return { [textFieldOf(table.role)]: context.unique('walk') }
    }
    case 'authWithPassword':
      return { identity: me?.email, password: me?.password }
    case 'authWithOtp': {
      // A code is the other factor: it is requested now.
      if (status !== '401' || me === undefined) return {}
      const { otpId, code } = await newOtp(context, me)
      return { otpId, password: code }
    }
    case 'authWithOAuth2': {
      const person = me ? newProviderPerson(context, { email: me.email }) : await admittedPerson(context)
      if (from !== 'listAuthMethods') return oauthBody(await visitProvider(context, person, { table }))
      // The verifier of the link belongs to the address that is next to it.
      const authURL = String(pointed(body, '/oauth2/providers/0/authURL'))
      const { code } = await context.provider.authorize({ authURL, redirectURL: REDIRECT, account: person })
      return oauthBody({ code, redirectURL: REDIRECT })
    }
    case 'confirmVerification':
      return {}
    case 'confirmPasswordReset':
      return { password: OTHER_PASSWORD, passwordConfirm: OTHER_PASSWORD }
    case 'confirmEmailChange':
      return { password: me?.password }
    default:
      return undefined
  }
}
