/**
 * What a server calls the key that repeats the password of a new account, as far as a rejection says. The document does not
 * show it: a server may have another name for it, have none, or reject one that it does not know. Pure.
 *
 * @module
 */

import { jsonObject } from '../../exchange/json-object.ts'
import { visibleJson } from '../../exchange/visible.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { mayBeAboutBody } from '../judging/expect.ts'
import { textWithoutEcho } from '../judging/without-echo.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Target } from '../vocabulary/target.ts'
import { namedFields } from './named-fields.ts'

/** The keys of the binding. */
export const confirmKey = 'signUp.passwordConfirm'
export const resetKey = 'passwordReset.passwordConfirm'

/** The name under which a second password is sent; empty if there is none. */
export function sentName(binding: Binding, key: typeof confirmKey | typeof resetKey = confirmKey): string {
  return binding[key] ?? 'passwordConfirm'
}

/** The likeliest first. */
const usual = [
  'password_confirmation',
  'passwordConfirmation',
  'confirmPassword',
  'confirm_password',
  'password2',
  'passwordConfirm',
  'password_confirm',
  'repeatPassword',
  're_password',
]

type Rejection = Pick<ApiResponse, 'status' | 'ok' | 'body' | 'text' | 'exchange'>

/**
 * Names that a rejected sign-up may want for the second password, the likeliest first; an empty one represents no such key.
 * Those that it names come first, then usual ones if it complains of a password that is not repeated.
 *
 * @param sent the name that the request had
 */
export function confirmNames(rejection: Pick<Rejection, 'body' | 'text'>, sent: string): string[] {
  const named = namedFields(rejection.body ?? rejection.text).filter(isRepeatedPassword)
  const text = textWithoutEcho(rejection)
  const others = isAboutRepetition(text, sent) ? usual : []
  const all = isUnknown(text, sent) ? [...named, '', ...others] : [...named, ...others, '']
  return [...new Set(all)].filter((name) => name !== sent)
}

/** Whether a rejection may be due to the second password, or to the lack of one. */
export function complainsOfConfirmation(response: Pick<Rejection, 'body' | 'text'>, sent: string): boolean {
  const text = textWithoutEcho(response)
  return (
    isUnknown(text, sent) ||
    isAboutRepetition(text, sent) ||
    namedFields(response.body ?? response.text).some(isRepeatedPassword)
  )
}

/**
 * The line of a target file for a rejected sign-up that sent a second password, or lacks one. Undefined if the rejection says
 * nothing about it, or if the target claims a profile, which says what the key is called.
 */
export function confirmLine({ binding, profile }: Pick<Target, 'binding' | 'profile'>, response: Rejection) {
  const sent = sentName(binding)
  const keys = Object.keys(jsonObject(response.exchange.request.body) ?? {})
  const isSignUp = keys.includes(binding['signUp.password'] ?? 'password')
  if (profile !== undefined || !isSignUp || !mayBeAboutBody(response)) return undefined
  if (!complainsOfConfirmation(response, sent)) return undefined
  const [name = ''] = confirmNames(response, sent)
  return bindingLine({ [confirmKey]: name })
}

/** What a trial has found out, in words, with the line that sets it in a target file; undefined if nothing is new. */
export function confirmWords(before: Binding, now: Binding): string | undefined {
  const name = now[confirmKey]
  if (name === undefined || name === before[confirmKey]) return undefined
  const found = [confirmKey, resetKey].filter((key) => now[key] !== before[key])
  const line = bindingLine(Object.fromEntries(found.map((key) => [key, now[key] ?? ''])))
  const how = name === '' ? 'the password once' : `the password again as ${visibleJson(name)}`
  return `${how} (${line})`
}

/** The line of a target file that sets names. */
export function bindingLine(names: Readonly<Record<string, string>>): string {
  const lines = Object.entries(names).map(([key, name]) => `${visibleJson(key)}: ${visibleJson(name)}`)
  return `"binding": { ${lines.join(', ')} }`
}

/** `password_confirmation`, `confirmPassword`, `password2` */
function isRepeatedPassword(field: string): boolean {
  return /pass|pwd/i.test(field) && /conf|repeat|again|verif|^re_|2$/i.test(field)
}

/** Whether a text names the key that was sent: both passwords are the same, so nothing else can be wrong with it. */
function isUnknown(text: string, sent: string): boolean {
  return sent !== '' && text.includes(sent)
}

/** `The password confirmation does not match.`, `Please repeat the password` */
function isAboutRepetition(text: string, sent: string): boolean {
  const words = sent === '' ? text : text.replaceAll(sent, '')
  return (
    /passw|pwd/i.test(words) &&
    /confirm|repeat|re-?enter|again|twice|mismatch|(?:not|n't) match|differ|identical/i.test(words)
  )
}
