/**
 * Operations that a server does not have, and that its tester declares absent. No other requirement may fail for it: a
 * check that sends such an operation cannot judge what it is about.
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import { json, on } from '../faults/combinators/combinators.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('absent')

/** By operation: requirements of something else whose checks send it, and those that need it only for more examples. */
const senders: readonly {
  operation: OperationId
  need: readonly string[]
  near: readonly string[]
}[] = [
  {
    operation: 'authRefresh',
    need: ['auth.sessions-side-by-side', 'oauth2.sign-in', 'derived.confirm-password-reset'],
    near: [
      'derived.auth-with-password',
      'derived.request-otp',
      'derived.impersonate',
      'auth.password-sign-in',
    ],
  },
  {
    operation: 'listAuthMethods',
    need: ['derived.auth-with-oauth2'],
    near: ['auth.password-sign-in', 'auth.own-answer'],
  },
  {
    operation: 'requestVerification',
    need: ['flow.own-step-only', 'verification.proof-required'],
    near: ['auth.password-sign-in', 'auth.sequences'],
  },
  {
    operation: 'requestPasswordReset',
    need: ['flow.own-step-only', 'password-reset.old-ends', 'password-reset.proof-required'],
    near: ['auth.sequences'],
  },
  {
    operation: 'requestEmailChange',
    need: ['flow.own-step-only', 'email-change.proof-required'],
    near: ['auth.sequences'],
  },
  {
    operation: 'updateRecord',
    need: ['batch.succeeds-together', 'list.items-as-viewed', 'field-types.keep-values'],
    near: ['wire.json-bodies', 'batch.failure-refused', 'create.persists'],
  },
  {
    operation: 'deleteRecord',
    need: ['batch.succeeds-together', 'list.pagination-covers', 'field-types.keep-values'],
    near: ['wire.json-bodies', 'batch.failure-refused', 'create.persists'],
  },
  {
    operation: 'viewRecord',
    need: ['create.json', 'update.only-one', 'record.id-stable', 'record.created-fixed', 'batch.order'],
    near: ['wire.json-bodies', 'wire.json-utf8', 'list.filter-narrows'],
  },
]

for (const { operation, need, near } of senders)
  variation(
    `there is no ${operation}, and the target file says so`,
    {
      because: '7',
      near: [...need, ...near],
      declares: Object.fromEntries(need.map((id) => [id, `its check sends ${operation}`])),
      alone: 'other variations change the responses of the operation',
      target: (target) => ({ ...target, operations: { ...target.operations, [operation]: false } }),
    },
    on(operation, async () => json(404, { error: 'not found' })),
  )
