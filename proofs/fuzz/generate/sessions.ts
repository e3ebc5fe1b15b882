/**
 * Sessions: what one client sends to a fresh server, request by request. Later ones use what earlier ones returned.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { operation } from '../../../spec/openapi.ts'
import type { TableDefinition } from '../../../spec/table-definition.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { fillBlank } from '../blanks.ts'
import type { FuzzRequest } from '../vocabulary.ts'
import { fuzzEmail } from '../world/ids.ts'
import { roleOf } from '../world/tables.ts'
import { recordEntries } from './entries.ts'
import { fuzzedJson, type JsonEntry } from './json.ts'
import { onTable, requestsByOperation } from './requests.ts'

type Step = Arbitrary<FuzzRequest>

function step(
  id: string,
  method: string,
  path: string,
  entries?: Arbitrary<JsonEntry[]>,
  caller?: string,
): Step {
  return (entries ?? fc.constant(undefined)).map((body) => ({
    operation: id,
    method,
    path: `/api/v1/collections/${path}`,
    headers: [
      ...(caller === undefined ? [] : [['authorization', caller] as const]),
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    ...(body !== undefined && { body: { text: fuzzedJson(body) } }),
  }))
}

const just = (...entries: JsonEntry[]) => fc.constant(entries)

/** A record from its creation to its end. */
function lifeOf(table: TableDefinition): Step[] {
  const records = `${table.name}/records`
  const one = `${records}/${fillBlank('created')}`
  const superuser = fillBlank('superuser')
  return [
    step('createRecord', 'POST', records, recordEntries(table, true, 0.7), superuser),
    step('viewRecord', 'GET', one, undefined, superuser),
    step('updateRecord', 'PATCH', one, recordEntries(table, false, 0.5), superuser),
    step('updateRecord', 'PATCH', one, recordEntries(table, false, 0.5)),
    step('listRecords', 'GET', `${records}?filter=id%3D%22${fillBlank('created')}%22`, undefined, superuser),
    step('deleteRecord', 'DELETE', one, undefined, superuser),
    step('viewRecord', 'GET', one, undefined, superuser),
  ]
}

/** An account signs in by every way that its table has, one after the other, and uses what it gets. */
function visitOf(table: TableDefinition): Step[][] {
  const { name } = table
  const email: JsonEntry = ['email', fuzzEmail(roleOf(table))]
  const identity: JsonEntry = ['identity', fuzzEmail(roleOf(table))]
  const password: JsonEntry = ['password', 'password1234']
  const mfaId: JsonEntry = ['mfaId', fillBlank('mfaId')]
  const session = fillBlank('session')
  const post = (id: string, path: string, ...entries: JsonEntry[]) =>
    step(id, 'POST', `${name}/${path}`, just(...entries), path === 'auth-with-password' ? undefined : session)
  const code = post(
    'authWithOtp',
    'auth-with-otp',
    ['otpId', fillBlank('otpId')],
    ['password', fillBlank('otpCode')],
    mfaId,
  )
  const otp = [post('requestOtp', 'request-otp', email), code, code]
  const signIn = post('authWithPassword', 'auth-with-password', identity, password)
  const refresh = post('authRefresh', 'auth-refresh')
  const token: JsonEntry = ['token', fillBlank('mailToken')]
  return [
    [signIn, ...otp, refresh, refresh],
    [...otp, post('authWithPassword', 'auth-with-password', identity, password, mfaId), refresh],
    [
      post('requestVerification', 'request-verification', ['email', fuzzEmail(roleOf(table), 1)]),
      post('confirmVerification', 'confirm-verification', token),
      post('confirmVerification', 'confirm-verification', token),
    ],
    [
      post('requestPasswordReset', 'request-password-reset', email),
      post('confirmPasswordReset', 'confirm-password-reset', token, password, [
        'passwordConfirm',
        'password1234',
      ]),
      signIn,
    ],
    [
      signIn,
      post('requestEmailChange', 'request-email-change', ['newEmail', 'another@mail.example']),
      post('confirmEmailChange', 'confirm-email-change', token, password),
      refresh,
    ],
  ]
}

/** What makes an operation succeed, and then several requests of it, spoiled ones among them. */
function followUps(table: TableDefinition, tables: readonly TableDefinition[]): Arbitrary<FuzzRequest[]>[] {
  const email: JsonEntry = ['email', fuzzEmail(roleOf(table))]
  const signIn = just(['identity', fuzzEmail(roleOf(table))], ['password', 'password1234'])
  const request = (id: string, path: string, body: Arbitrary<JsonEntry[]>) =>
    step(id, 'POST', `${table.name}/${path}`, body)
  const first = new Map<OperationId, Step>([
    ['authWithOtp', request('requestOtp', 'request-otp', just(email))],
    ['authRefresh', request('authWithPassword', 'auth-with-password', signIn)],
    ['confirmPasswordReset', request('requestPasswordReset', 'request-password-reset', just(email))],
  ])
  return [...first].flatMap(([id, before]) => {
    if (id === 'authWithOtp' && !table.otp?.enabled) return []
    const after = onTable(operation(id), table, tables)
    return [fc.tuple(before, after, before, after).map((steps) => [...steps])]
  })
}

/** All sessions, stateful ones and those of unrelated requests. At most `longest` requests each. */
export function sessions(tables: readonly TableDefinition[], longest = 8): Arbitrary<FuzzRequest[]> {
  const single = fc.oneof(...requestsByOperation(tables).values())
  const unrelated = fc.array(single, { minLength: 1, maxLength: longest })
  const auth = tables.filter(({ type }) => type === 'auth')
  const stories = [...tables.map(lifeOf), ...auth.flatMap(visitOf)].map((steps) => fc.tuple(...steps))
  const interrupted = fc
    .tuple(fc.oneof(...stories), fc.array(fc.tuple(fc.nat({ max: 8 }), single), { maxLength: 2 }))
    .map(([story, others]) => {
      const steps = [...story]
      for (const [at, request] of others) steps.splice(at, 0, request)
      return steps
    })
  return fc.oneof(
    { weight: 6, arbitrary: unrelated },
    { weight: 3, arbitrary: interrupted },
    { weight: 2, arbitrary: fc.oneof(...auth.flatMap((table) => followUps(table, tables))) },
  )
}
