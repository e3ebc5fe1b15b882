/** Defects of sessions that did not begin with a password alone. */

import type { OperationId } from '../../spec/vocabulary.ts'
import { withTokensOf } from './combinators/auth.ts'
import { isIdentifier, type JsonValue, json, on } from './combinators/combinators.ts'
import { fieldRejection } from './combinators/field.ts'
import { fault } from './fault.ts'

type IsMeant = (operation: OperationId, table: string, body: JsonValue) => boolean

const byRefresh: IsMeant = (operation) => operation === 'authRefresh'
const byCode: IsMeant = (operation, _table, { mfaId }) => operation === 'authWithOtp' && mfaId === undefined
const byFactors: IsMeant = (operation, _table, { mfaId }) =>
  operation === 'authWithOtp' && mfaId !== undefined
const byProvider: IsMeant = (operation) => operation === 'authWithOAuth2'

for (const [by, isMeant] of [
  ['refresh', byRefresh],
  ['code', byCode],
  ['two factors', byFactors],
  ['provider', byProvider],
] as const) {
  fault(
    `a session by ${by} can impersonate`,
    { trips: ['impersonate.superuser-only'] },
    withTokensOf(isMeant, (request, next, { operation }, tools) =>
      operation === 'impersonate' ? tools.asSuperuser(request) : next(request),
    ),
  )
  if (isMeant === byRefresh) continue
  fault(
    `a revoked key ends sessions by ${by}`,
    { trips: ['api-key.revocation-spares-sessions'] },
    (tools) => {
      let most = 0
      const faulty = withTokensOf(isMeant, async (request, next) => {
        const { length } = tools.reference.apiKeys.list()
        return length < most ? fieldRejection(401) : next(request)
      })(tools)
      return (request, next) => {
        most = Math.max(most, tools.reference.apiKeys.list().length)
        return faulty(request, next)
      }
    },
  )
}

for (const [by, isMeant, trips] of [
  ['refresh', byRefresh, 'refresh.extends'],
  ['code', byCode, 'otp.sign-in'],
] as const)
  for (const operation of ['listRecords', 'createRecord', 'batch'] as const)
    fault(
      `a session by ${by} is not accepted: ${operation}`,
      { trips: [trips] },
      withTokensOf(isMeant, async (request, next, { operation: done }) =>
        done === operation ? fieldRejection(401) : next(request),
      ),
    )
for (const operation of ['updateRecord', 'authRefresh'] as const)
  fault(
    `a session by code is not accepted under the identifier of a table: ${operation}`,
    { trips: ['otp.sign-in'] },
    withTokensOf(byCode, async (request, next, { operation: done, table = '' }) =>
      done === operation && isIdentifier(table) ? fieldRejection(401) : next(request),
    ),
  )
for (const [by, isMeant, trips] of [
  ['two factors', byFactors, 'mfa.second-factor'],
  ['provider', byProvider, 'oauth2.sign-in'],
] as const)
  for (const operation of ['listRecords', 'createRecord'] as const)
    fault(
      `a session by ${by} is not accepted: ${operation}`,
      { trips: [trips] },
      withTokensOf(isMeant, async (request, next, { operation: done }) =>
        done === operation ? fieldRejection(401) : next(request),
      ),
    )
for (const [table, trips] of [
  ['conf_mfa', 'mfa.second-factor'],
  ['conf_oauth', 'oauth2.sign-in'],
] as const)
  for (const operation of ['updateRecord', 'authRefresh'] as const)
    fault(
      `a refreshed session of ${table} is not accepted: ${operation}`,
      { trips: [trips] },
      withTokensOf(
        (done, where) => done === 'authRefresh' && where === table,
        async (request, next, { operation: done }) =>
          done === operation ? fieldRejection(401) : next(request),
      ),
    )

const ownTokens = {
  authWithPassword: 'auth.user-token',
  authWithOtp: 'otp.sign-in',
  authWithOAuth2: 'oauth2.same-record',
  authRefresh: 'refresh.same-record',
  impersonate: 'impersonate.acts-as-record',
} as const
for (const [operation, trips] of Object.entries(ownTokens) as [keyof typeof ownTokens, string][])
  for (const [which, at] of [
    ['oldest', 0],
    ['newest', -1],
  ] as const)
    fault(
      `${operation} returns a token of the ${which} account of its table`,
      { trips: [trips] },
      on(operation, async (request, next, { table = '' }, { reference }) => {
        const response = await next(request)
        if (!response.ok) return response
        const body = (await response.json()) as JsonValue
        const account = (await reference.records.list(table)).at(at)
        if (account === undefined || body.token === undefined) return json(response.status, body)
        return json(response.status, { ...body, token: await reference.tokenFor(table, String(account.id)) })
      }),
    )
