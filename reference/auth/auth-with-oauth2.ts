/**
 * `POST /collections/{table}/auth-with-oauth2` (contract-auth section 6).
 *
 * @module
 */

import type { OAuth2ProviderDefinition } from '../../spec/table-definition.ts'
import { badRequest, blank, type ErrorData, forbidden, type RejectionReason } from '../errors.ts'
import { runeCount } from '../fields/cast.ts'
import { dateText } from '../fields/read-date.ts'
import { reauthenticate } from '../http/handle.ts'
import type { OperationResult } from '../http/respond.ts'
import { makeRecord } from '../records/create.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Row, Table, Writer } from '../vocabulary.ts'
import { type AuthBody, readAuthBody } from './auth-body.ts'
import { requireAuthRule } from './auth-response.ts'
import { findAuthTable, switchedOff } from './auth-table.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { findLinked, linkNewRecord, linkRecord } from './oauth2/link.ts'
import type { ProviderUser } from './oauth2/provider-user.ts'
import { providerSignUpBody } from './oauth2/sign-up.ts'

const longestProvider = 100

const tooLong = {
  code: 'validation_length_too_long',
  message: `The length must be no more than ${longestProvider}.`,
  params: { max: longestProvider, min: 0 },
}

/** A validated sign-in request, ready to be sent to the provider. */
interface Redeemable {
  provider: OAuth2ProviderDefinition
  code: string
  codeVerifier: string
  redirectURL: string
  createData: Record<string, Json>
}

function knownProviders({ name, definition }: Table): RejectionReason {
  return () => {
    const names = (definition.oauth2?.providers ?? []).map((one) => one.name)
    return names.length === 0
      ? `oauth2.providers of "${name}" is empty.`
      : `oauth2.providers of "${name}": ${names.join(', ')}. The body needs one of them as "provider", and a "code".`
  }
}

/** @throws ApiError 400, with the message of a body that cannot be loaded */
function readRedeemable(table: Table, body: AuthBody): Redeemable {
  const name = body.text('provider')
  const [code, codeVerifier] = [body.text('code'), body.text('codeVerifier')]
  const redirectURL = body.text('redirectURL') || body.text('redirectUrl')
  const createData = body.object('createData')
  const provider = table.definition.oauth2?.providers?.find((one) => one.name === name)
  const missing = {
    code: 'validation_invalid_provider',
    message: `Provider with name ${name} is missing or is not enabled.`,
    params: { name },
  }
  const errors: ErrorData = {}
  if (name === '') errors.provider = blank
  else if (runeCount(name) > longestProvider) errors.provider = tooLong
  else if (provider === undefined) errors.provider = missing
  if (code === '') errors.code = blank
  if (provider === undefined || Object.keys(errors).length > 0) {
    throw badRequest(knownProviders(table), 'An error occurred while loading the submitted data.', errors)
  }
  return { provider, code, codeVerifier, redirectURL, createData }
}

/** @throws ApiError 400 for any error at the provider; the log contains the cause */
async function askProvider(
  context: RequestContext,
  { provider, ...redemption }: Redeemable,
): Promise<ProviderUser> {
  const { fetchProviderUser, ProviderError } = await import('./oauth2/provider-user.ts')
  try {
    const { environment, oauth2 } = context.services
    const now = environment.now()
    return await (oauth2.redeem(provider, redemption, now) ?? fetchProviderUser(provider, redemption, now))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw badRequest(() => error.message, `Failed to fetch OAuth2 ${error.step}.`)
  }
}

function metaOf(user: ProviderUser, isNew: boolean): Json {
  const { id, name, username, email, avatarURL, accessToken, refreshToken, rawUser, expires } = user
  const expiry = expires === undefined ? '' : dateText(expires)
  const shown = { id, name, username, email, avatarURL, avatarUrl: avatarURL }
  return { ...shown, accessToken, refreshToken, expiry, rawUser, isNew }
}

/**
 * Signs in with a provider's code, as the record that is linked to the provider's account, or as a new record. If any
 * step rejects the sign-in, authRule included, nothing is stored.
 *
 * @throws ApiError 404 no such auth table; 403 switched off, creating not allowed, or rejected by authRule; 400 body,
 * fields, provider, record
 */
export async function authWithOAuth2(original: RequestContext, request: Request): Promise<OperationResult> {
  const context: RequestContext = { ...original, c: 'oauth2' }
  const { store, environment } = context.services
  const table = findAuthTable(context, store.current)
  if (!table.definition.oauth2?.enabled) {
    throw forbidden(
      switchedOff(table, 'oauth2'),
      'The collection is not configured to allow OAuth2 authentication.',
    )
  }
  const body = await readAuthBody(context, request)
  const redeemable = readRedeemable(table, body)
  const user = await askProvider(context, redeemable)

  const signIn = { table, provider: redeemable.provider.name, user, environment }
  const { caller } = await reauthenticate(context, request, store.current)
  const found = findLinked(store.current, { ...signIn, caller })
  const signUp =
    found === undefined
      ? await providerSignUpBody(store.current, table, user, redeemable.createData, environment)
      : undefined
  const linkOrMake = (now: RequestContext, writer: Writer): { row: Row; isNew: boolean } => {
    // Two sign-ins of the same user may run at the same time: the second one finds the record that the first one
    // created.
    const current = { ...signIn, caller: now.caller }
    const present = findLinked(writer, current)
    if (present !== undefined) return { row: linkRecord(writer, current, present), isNew: false }
    if (signUp === undefined)
      throw badRequest(
        () => `The record of "${table.name}" was deleted while it signed in.`,
        'Failed to authenticate.',
      )
    const made = makeRecord(now, signUp, writer, { randomPassword: true })
    return { row: linkNewRecord(writer, current, made), isNew: true }
  }
  const { row, isNew } = await store.transaction(async (writer) => {
    const now = await reauthenticate(context, request, writer)
    const signedIn = linkOrMake(now, writer)
    requireAuthRule(now, writer, table, signedIn.row, body.values)
    return signedIn
  })
  const meta = metaOf(user, isNew)
  return finishSignIn(context, request, { table, row, method: 'oauth2', body: body.values, meta })
}
