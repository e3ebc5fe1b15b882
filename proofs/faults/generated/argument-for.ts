/**
 * Breaches that break nothing, and those that no request can meet, by rule: one line each says why. What is here survives
 * every check and may.
 *
 * @module
 */

import type { Breach } from './breach.ts'

interface Argument {
  /** Matched with the name: operation · part · mutation. */
  matches: RegExp
  because: string
}

const argued: readonly Argument[] = [
  {
    matches: /^deleteRecord · .*(done twice|done again after the second)$/,
    because: 'the second delete finds nothing: one delete and two leave the same',
  },
  {
    matches: /^(authRefresh|impersonate) · .*(omitted|done twice|not done|done again after the second)$/,
    because: 'these operations change nothing that a client could read: their tokens are signed, not stored',
  },
  {
    matches: /^authRefresh · token \w+ · rejected requests are carried out$/,
    because: 'a refresh changes nothing that a client could read: its token is signed, not stored',
  },
  {
    matches: /^createRecord · effect in (shortlived|hasty) · omitted$/,
    because: 'no check fails: those that need such an account are blocked, and the verdict is incomplete',
  },
  {
    matches: /^authWithPassword · .*(omitted|done twice|not done|done again after the second)$/,
    because:
      'a sign-in by password changes nothing that a client could read; the first of two factors is no 2xx',
  },
  {
    matches: /^(create|update)Record · values of \{password\} · |^batch · values of \{password\} · /,
    because: 'no endpoint shows, compares or finds the value of a field of type password',
  },
  {
    matches:
      /^createRecord · effect in (unique|members|staff|named|mfa|gated|sealed|oauth|shortlived|passwordless|hasty) · done twice$/,
    because: 'the second create is rejected: its address, or another unique value, is taken',
  },
  {
    matches: /^\w+ · values of \{autodate\} · /,
    because: 'the server sets autodates by itself: what a client sends for one is never stored',
  },
  {
    matches:
      /^confirm\w+ · .*(done twice|the second is reported as done, but not done|done again after the second)$/,
    because: 'a proof that was used does nothing the second time',
  },
  {
    matches: /^request(EmailChange|PasswordReset|Verification) · .*(done twice|done again after the second)$/,
    because: 'asked again within two minutes, the server sends no second email',
  },
  {
    matches:
      /^(listAuthMethods|authWith(Password|Otp)|request(Otp|PasswordReset|Verification)|confirm\w+) · token \w+ · not accepted$/,
    because: 'the response is the same for every caller',
  },
  {
    matches: /^\w+ · method \w+ · (401|405)$/,
    because: 'how a method that a path does not have is rejected is left open: the profile asks for any 4xx',
  },
  {
    matches: /^\w+ · 4xx (.*\.)?message · (altered|of another record)$/,
    because: 'a message is for people: neither the document nor the profile gives its words',
  },
  {
    matches: /^batch · 4xx data\.requests\.\*\.code · of another record$/,
    because: 'it meets only null entries, and the document does not say how these are reported',
  },
  {
    matches: /^authWithOAuth2 · 2xx meta\.(accessToken|refreshToken|expiry) · /,
    because: 'what a provider issued is between it and the server: no one else knows the values',
  },
  {
    matches: /^authWith(Otp|OAuth2) · two at once · the first is done again/,
    because: 'a code that was used does nothing the second time',
  },
  {
    matches: /^requestOtp · two at once · the first is done again/,
    because: 'another code is emailed, and those before it stay as they were',
  },
  {
    matches:
      /^(deleteRecord|confirm\w+|request(EmailChange|PasswordReset|Verification)) · two at once · the second is done and gets/,
    because: 'the responses have no body: one is as good as the other',
  },
]

/** Only of breaches that no exchange of the suite meets. */
const beyond: readonly Argument[] = [
  {
    matches: /^requestEmailChange · token \w+ · rejected requests are carried out$/,
    because: 'a caller that is rejected has no account, and no email goes to an address that is rejected',
  },
  {
    matches: /^viewRecord · (token invalid|rule of (ruled|owned)) · shows what a superuser sees$/,
    because: 'such a caller sees whole records, or is rejected',
  },
  {
    matches: /^listRecords · 2xx items\[\]\.\{unknown\} · /,
    because: 'only the look before a run, and its clean-up, list tables that the suite does not define',
  },
  {
    matches: /^listRecords · rule of \w+ · (rejections have|rejected requests are) /,
    because: 'a rule narrows a list and rejects none, except for the rule that accepts superusers only',
  },
  {
    matches: /^authWithOAuth2 · token (superuser|key) · not accepted$/,
    because: 'only the token of an account makes a difference: it links the account to the provider',
  },
  {
    matches: /^(list|view)Records? · rule of locked · shows what a superuser sees$/,
    because: 'the table shows nothing to others: what is rejected has breaches of its own',
  },
]

/** Why a breach breaks nothing; undefined if no rule says why. */
export function argumentFor({ name }: Breach): string | undefined {
  return argued.find(({ matches }) => matches.test(name))?.because
}

/** Why no request can meet a breach; undefined if no rule says why. */
export function outOfReach({ name }: Breach): string | undefined {
  return beyond.find(({ matches }) => matches.test(name))?.because
}
