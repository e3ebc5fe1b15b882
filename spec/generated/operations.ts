/**
 * Generated from spec/openapi.yaml by `npm run generate`. Not to be edited.
 *
 * @module
 */

/** The operations of the document, in the order of the description. `segments`: of the path after the prefix. */
export const operationPaths = [
  { id: 'listRecords', method: 'GET', segments: ['collections', '{table}', 'records'] },
  { id: 'createRecord', method: 'POST', segments: ['collections', '{table}', 'records'] },
  { id: 'viewRecord', method: 'GET', segments: ['collections', '{table}', 'records', '{id}'] },
  { id: 'updateRecord', method: 'PATCH', segments: ['collections', '{table}', 'records', '{id}'] },
  { id: 'deleteRecord', method: 'DELETE', segments: ['collections', '{table}', 'records', '{id}'] },
  { id: 'batch', method: 'POST', segments: ['batch'] },
  { id: 'listAuthMethods', method: 'GET', segments: ['collections', '{table}', 'auth-methods'] },
  { id: 'authWithPassword', method: 'POST', segments: ['collections', '{table}', 'auth-with-password'] },
  { id: 'authWithOAuth2', method: 'POST', segments: ['collections', '{table}', 'auth-with-oauth2'] },
  { id: 'requestOtp', method: 'POST', segments: ['collections', '{table}', 'request-otp'] },
  { id: 'authWithOtp', method: 'POST', segments: ['collections', '{table}', 'auth-with-otp'] },
  { id: 'authRefresh', method: 'POST', segments: ['collections', '{table}', 'auth-refresh'] },
  { id: 'impersonate', method: 'POST', segments: ['collections', '{table}', 'impersonate', '{id}'] },
  { id: 'requestVerification', method: 'POST', segments: ['collections', '{table}', 'request-verification'] },
  { id: 'confirmVerification', method: 'POST', segments: ['collections', '{table}', 'confirm-verification'] },
  { id: 'requestPasswordReset', method: 'POST', segments: ['collections', '{table}', 'request-password-reset'] },
  { id: 'confirmPasswordReset', method: 'POST', segments: ['collections', '{table}', 'confirm-password-reset'] },
  { id: 'requestEmailChange', method: 'POST', segments: ['collections', '{table}', 'request-email-change'] },
  { id: 'confirmEmailChange', method: 'POST', segments: ['collections', '{table}', 'confirm-email-change'] },
] as const
