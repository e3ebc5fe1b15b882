/**
 * `POST /realtime`: sets the caller and the topics of a connection.
 *
 * @module
 */

import {
  badRequest,
  blank,
  type ErrorData,
  forbidden,
  inResponse,
  notFound,
  type RejectionReason,
} from '../../errors.ts'
import { reauthenticate } from '../../http/handle.ts'
import { bodyLimit, readBody, type SubmittedBody } from '../../http/read-body.ts'
import type { OperationResult } from '../../http/respond.ts'
import type { RequestContext } from '../../services.ts'
import type { FieldError } from '../../vocabulary.ts'
import { identityOf } from './identity.ts'
import type { RealtimeInternals } from './realtime.ts'
import { silentTopics } from './silent-topics.ts'

const mostTopics = 1_000
const longestTopic = 2_500
const longestId = 255

const tooMany = (max: number): FieldError => ({
  code: 'validation_length_too_long',
  message: `The length must be no more than ${max}.`,
  params: { max, min: 0 },
})

const idLength: FieldError = {
  code: 'validation_length_out_of_range',
  message: `The length must be between 1 and ${longestId}.`,
  params: { max: longestId, min: 1 },
}

interface Wanted {
  clientId: string
  subscriptions: string[]
}

function readWanted({ values, inferred }: SubmittedBody): Wanted {
  const { clientId = '', subscriptions } = values
  // A form with one value for a key does not show that it is a list, and its numbers are strings.
  const text = (value: unknown) => (inferred && typeof value !== 'object' ? String(value) : value)
  const list = inferred && subscriptions !== undefined ? [subscriptions].flat() : (subscriptions ?? [])
  const id = text(clientId ?? '')
  const topics: unknown[] | undefined = Array.isArray(list) ? list.map(text) : undefined
  if (typeof id !== 'string' || topics === undefined || !topics.every((one) => typeof one === 'string'))
    throw badRequest(
      () => '"clientId" of the body must be a string, and "subscriptions" an array of strings.',
    )
  return { clientId: id, subscriptions: topics as string[] }
}

function check({ clientId, subscriptions }: Wanted): void {
  const errors: ErrorData = {}
  if (clientId === '') errors.clientId = blank
  else if (Buffer.byteLength(clientId) > longestId) errors.clientId = idLength
  const long = subscriptions.flatMap((topic, at) => (Buffer.byteLength(topic) > longestTopic ? [at] : []))
  if (subscriptions.length > mostTopics) errors.subscriptions = tooMany(mostTopics)
  else if (long.length > 0)
    errors.subscriptions = Object.fromEntries(long.map((at) => [at, tooMany(longestTopic)]))
  if (Object.keys(errors).length > 0) throw badRequest(inResponse, undefined, errors)
}

function noConnection({ connections }: RealtimeInternals): RejectionReason {
  return () =>
    `No stream with this clientId is open; ${connections} are. Open one with GET /realtime: its first event, PB_CONNECT, has the clientId. A stream ends with its connection.`
}

/**
 * A guest's connection can become a record's, but a record's connection cannot become a guest's or another record's:
 * the client must reconnect.
 *
 * @throws ApiError 400 for a malformed body, and for another client address; 403 for another caller; 404 no such
 * connection
 */
export async function setSubscriptions(
  realtime: RealtimeInternals,
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const wanted = readWanted(await readBody(request, bodyLimit, context))
  check(wanted)
  const { store, findApiKey } = context.services
  const connection = realtime.find(wanted.clientId)
  if (connection === undefined) throw notFound(noConnection(realtime), 'Missing or invalid client id.')
  if (connection.ip !== context.ip)
    throw badRequest(
      () => `The connection was opened from ${connection.ip}, and this request comes from ${context.ip}.`,
      'Invalid realtime client.',
    )
  const { caller } = await reauthenticate(context, request, store.current)
  const identity = identityOf(caller, request.headers.get('authorization') ?? '', findApiKey)
  if (connection.isSignedIn(store.current) && connection.identity.name !== identity.name)
    throw forbidden(
      () =>
        'The connection belongs to another caller: after signing out or in as someone else, open a new one with GET /realtime.',
      "The current and the previous request authorization don't match.",
    )
  await realtime.resubscribe(() => {
    connection.identity = identity
    connection.subscribe(wanted.subscriptions)
  })
  return { status: 204, note: silentTopics(wanted.subscriptions, { ...context, caller }) }
}
