/** Requirements that several variations are near to, by what their checks do. */

import type { OperationId } from '../../spec/vocabulary.ts'

/** Walk through a list page by page, with a requested page size. */
export const walking = [
  'list.paginated',
  'list.page',
  'list.per-page',
  'list.full-pages',
  'list.total-pages',
  'list.totals-agree',
  'list.pagination-covers',
  'list.without-condition',
] as const

/** Ask for a page size, or read a list for which none was asked. */
export const sizing = [
  'prefix.v1',
  'list.shape',
  ...walking,
  'list.at-most-per-page',
  'list.total-items',
  'list.pagination-stable',
  'list.filter-all-pages',
  'list.sort-across-pages',
  'list.page-beyond-end',
] as const

/** Read all of a list, with or without pages. */
export const nearReading = [
  'list.filter-narrows',
  'list.items',
  'list.sort-orders',
  'list.sort-text',
  'list.sort-keeps-set',
  'list.expand-relation',
  'list.expand-keeps-record',
  'list.any-caller',
  'list.own-answer',
  'list.total-follows-writes',
  'create.listed',
  'delete.unlisted',
  'record.id-unique',
  'table.one-at-a-time',
] as const

/** List records of their own alone, by a condition on their text. */
export const listedAlone = [
  'list.empty-shape',
  'list.paginated',
  'list.page',
  'list.per-page',
  'list.at-most-per-page',
  'list.full-pages',
  'list.total-items',
  'list.total-pages',
  'list.totals-agree',
  'list.total-follows-writes',
  'list.items',
  'list.pagination-covers',
  'list.pagination-stable',
  'list.page-beyond-end',
  'list.without-condition',
  'list.filter-all-pages',
  'list.sort-orders',
  'list.sort-keeps-set',
  'list.sort-across-pages',
  'list.expand-relation',
  'list.expand-keeps-record',
] as const

/** Every exchange of the run. */
export const traffic = [
  'wire.json-bodies',
  'wire.json-errors',
  'wire.no-empty-success',
  'wire.json-utf8',
  'wire.json-media-type',
] as const

/** Expect a request to be rejected, after the same with one difference was accepted. */
export const rejecting = [
  'wire.json-errors',
  'table.missing-refused',
  'table.separate',
  'view.missing-refused',
  'update.missing-refused',
  'delete.removes',
  'list.page-beyond-end',
] as const

/** Send what differs from a valid request in one part, to records and batches. */
export const derivedRecords = [
  'derived.list-records',
  'derived.view-record',
  'derived.create-record',
  'derived.update-record',
  'derived.delete-record',
  'derived.batch',
  'derived.record-links',
] as const

/** The same, to sign-in and email endpoints, and what is sent instead of a proof. */
export const derivedAccounts = [
  'derived.list-auth-methods',
  'derived.auth-with-password',
  'derived.auth-with-oauth2',
  'derived.request-otp',
  'derived.auth-with-otp',
  'derived.auth-refresh',
  'derived.impersonate',
  'derived.password-proof',
  'derived.otp-proof',
  'derived.oauth2-proof',
  'derived.refresh-proof',
  'derived.impersonate-proof',
  'derived.account-links',
] as const

/** Send what is not the proof of an email flow. */
export const derivedProofs = [
  'derived.verification-proof',
  'derived.password-reset-proof',
  'derived.email-change-proof',
] as const

/** The same, to the email flows. */
const derivedFlows = [
  'derived.request-verification',
  'derived.confirm-verification',
  'derived.request-password-reset',
  'derived.confirm-password-reset',
  'derived.request-email-change',
  'derived.confirm-email-change',
  'derived.verification-proof',
  'derived.password-reset-proof',
  'derived.email-change-proof',
] as const

/** Begin with the response to a create. */
export const created = [
  'record.sequences',
  'view.record',
  'record.created-fixed',
  'record.updated-moves',
  'table.by-id',
  'table.by-id-writes',
  'relation.single-id',
  'relation.leads-to-record',
  'create.persists',
  'create.json',
  'create.only-one',
  'table.one-at-a-time',
  'update.applies',
  'field-types.keep-values',
  'list.total-follows-writes',
  'list.items',
  'record.id-unique',
  'record.created-utc',
  'wire.json-utf8',
  'derived.create-record',
] as const

/** Update, and look again. */
export const updated = [
  'record.sequences',
  'update.applies',
  'update.only-one',
  'record.id-stable',
  'record.created-fixed',
  'record.updated-moves',
  'table.by-id-writes',
  'create.json',
  'field-types.all',
  'update.changes-only-sent',
  'update.fields-at-once',
  'derived.update-record',
] as const

/** Delete, and look again. */
export const deleted = [
  'record.sequences',
  'delete.removes',
  'delete.unlisted',
  'delete.only-one',
  'delete.final',
  'table.by-id-writes',
  'table.missing-refused',
  'field-types.keep-values',
  'list.total-follows-writes',
] as const

/** Go through the email flows of verification, reset and change of address. */
export const flows = [
  'flow.request-changes-nothing',
  'flow.own-step-only',
  'verification.confirms',
  'verification.proof-required',
  'verification.own-record',
  'password-reset.confirms',
  'password-reset.old-ends',
  'password-reset.proof-required',
  'email-change.confirms',
  'email-change.identity-follows',
  'email-change.proof-required',
  'password-reset.own-record',
  'email-change.own-record',
  'token.other-kind',
  'flow.table-by-id',
  ...derivedFlows,
] as const

/** Sign in through a provider. */
export const oauth2 = [
  'oauth2.sign-in',
  'oauth2.carries',
  'oauth2.same-record',
  'oauth2.other-record',
  'oauth2.code-wrong',
  'oauth2.verifier-wrong',
  'oauth2.provider-unknown',
  'oauth2.table-by-id',
  'derived.oauth2-proof',
] as const

/** By operation: requirements about its success, its rejection and its existence. */
export const nearOperation: Readonly<Record<OperationId, readonly string[]>> = {
  listRecords: [
    'list.shape',
    'list.items',
    'list.filter-narrows',
    'table.missing-refused',
    'derived.list-records',
  ],
  viewRecord: ['view.record', 'view.missing-refused', 'table.separate', 'record.id', 'derived.view-record'],
  createRecord: [
    'create.persists',
    'create.listed',
    'create.json',
    'table.missing-refused',
    'derived.create-record',
  ],
  updateRecord: ['update.applies', 'update.only-one', 'update.missing-refused', 'derived.update-record'],
  deleteRecord: ['delete.removes', 'delete.unlisted', 'delete.final', 'derived.delete-record'],
  batch: ['batch.succeeds-together', 'batch.failure-refused', 'batch.order', 'batch.caller', 'derived.batch'],
  listAuthMethods: ['auth-methods.lists', 'auth-methods.agrees-password', 'derived.list-auth-methods'],
  authWithPassword: [
    'auth.password-sign-in',
    'auth.response-token',
    'auth.password-wrong',
    'auth.identity-required',
    'auth.auth-tables-only',
    'derived.auth-with-password',
    'derived.password-proof',
  ],
  authWithOAuth2: [...oauth2, 'derived.auth-with-oauth2'],
  requestOtp: ['otp.sign-in', 'otp.two-steps', 'otp.id-no-token', 'derived.request-otp'],
  authWithOtp: ['otp.sign-in', 'otp.once', 'otp.wrong-code', 'derived.auth-with-otp', 'derived.otp-proof'],
  authRefresh: [
    'refresh.extends',
    'refresh.same-record',
    'refresh.session-required',
    'auth.no-token',
    'derived.auth-refresh',
    'derived.refresh-proof',
  ],
  impersonate: [
    'impersonate.acts-as-record',
    'impersonate.superuser-only',
    'impersonate.missing-record',
    'derived.impersonate',
    'derived.impersonate-proof',
  ],
  requestVerification: [
    'verification.confirms',
    'flow.request-changes-nothing',
    'derived.request-verification',
  ],
  confirmVerification: [
    'verification.confirms',
    'verification.proof-required',
    'flow.made-up',
    'derived.confirm-verification',
    'derived.verification-proof',
  ],
  requestPasswordReset: [
    'password-reset.confirms',
    'flow.request-changes-nothing',
    'derived.request-password-reset',
  ],
  confirmPasswordReset: [
    'password-reset.confirms',
    'password-reset.proof-required',
    'flow.made-up',
    'derived.confirm-password-reset',
    'derived.password-reset-proof',
  ],
  requestEmailChange: [
    'email-change.confirms',
    'flow.request-changes-nothing',
    'derived.request-email-change',
  ],
  confirmEmailChange: [
    'email-change.confirms',
    'email-change.proof-required',
    'flow.made-up',
    'derived.confirm-email-change',
    'derived.email-change-proof',
  ],
}

/** Request a one-time code, and sign in with it or with another one. */
export const byCode = [
  'otp.mails-code',
  'otp.sign-in',
  'otp.two-steps',
  'otp.once',
  'otp.wrong-code',
  'otp.made-up',
] as const
