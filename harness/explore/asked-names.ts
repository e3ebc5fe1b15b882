/**
 * The keys of sign-in requests and email flows that the document does not show, and what servers call them.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { jsonObject } from '../../exchange/json-object.ts'
import { escapePattern } from '../../spec/escape-pattern.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { inWords } from '../../spec/in-words.ts'
import { isAboutBody } from '../../spec/status-range.ts'
import type { Binding, OperationId } from '../../spec/vocabulary.ts'
import { textWithoutEcho } from '../judging/without-echo.ts'
import type { Target } from '../vocabulary/target.ts'
import { theirName } from '../wire/target-names.ts'
import {
  bindingLine,
  complainsOfConfirmation,
  confirmKey,
  confirmNames,
  resetKey,
  sentName,
} from './confirm-names.ts'
import { complaintsIn } from './named-fields.ts'

/** A key of the binding, and what servers call its parameter. */
type BoundName = readonly [key: string, like: RegExp]

/** A request whose keys the document does not show. */
export interface NamedRequest {
  id: OperationId
  names: readonly BoundName[]
  /** Whether the request does nothing without a right proof, so that it can be sent with made-up values. */
  confirms?: true
}

const email = /mail|address|identity|login|user/i
const proof = /token|code|proof|key|hash/i
const password = /pass|pwd|secret/i

/** More particular names come first: a name that looks like several keys is taken for the first of them. */
export const namedRequests: readonly NamedRequest[] = [
  { id: 'requestOtp', names: [['otp.email', email]] },
  {
    id: 'authWithOtp',
    names: [
      ['otp.id', /id$|ref|request|session|challenge|mail|address/i],
      ['otp.code', /code|otp|pass|pin|token/i],
    ],
    confirms: true,
  },
  { id: 'requestVerification', names: [['flow.email', email]] },
  { id: 'confirmVerification', names: [['verification.token', proof]], confirms: true },
  { id: 'requestPasswordReset', names: [['flow.email', email]] },
  {
    id: 'confirmPasswordReset',
    names: [
      ['passwordReset.passwordConfirm', /confirm|repeat|again/i],
      ['passwordReset.token', proof],
      ['passwordReset.password', password],
    ],
    confirms: true,
  },
  { id: 'requestEmailChange', names: [['emailChange.newEmail', email]] },
  {
    id: 'confirmEmailChange',
    names: [
      ['emailChange.token', proof],
      ['emailChange.password', password],
    ],
    confirms: true,
  },
  {
    id: 'authWithOAuth2',
    names: [
      ['oauth2.provider', /provider/i],
      ['oauth2.codeVerifier', /verifier/i],
      ['oauth2.redirectURL', /redirect|callback/i],
      ['oauth2.code', /code/i],
    ],
  },
]

/** What a rejection calls the token in the header that the document does show (section 5). */
const ofHeader = /^(?:authorization|bearer|credentials|session|jwt|(?:access|auth)?_?token)$/i

/** Requests whose bodies the document does not show, and that the suite sends without one. */
const bodiless: readonly NamedRequest[] = [
  { id: 'impersonate', names: [] },
  { id: 'authRefresh', names: [] },
]

/**
 * Which keys of the binding the names may be meant for. Names that the run sends anyway are left out.
 *
 * @param set keys that the target file sets: nothing else is meant for them
 * @returns `alike`: the part of `suggested` in which a name is like those that servers use
 */
export function suggestedNames(
  named: readonly string[],
  names: readonly BoundName[],
  binding: Binding,
  set: readonly string[] = [],
): { alike: Record<string, string>; suggested: Record<string, string>; left: string[] } {
  const nameOf = (key: string) => theirName(key, binding)
  const sent = names.map(([key]) => nameOf(key))
  const left = new Set(named.filter((name) => !sent.includes(name)))
  const open = new Map(
    names.filter(([key]) => !set.includes(key) && nameOf(key) !== '' && !named.includes(nameOf(key))),
  )
  const suggested: Record<string, string> = {}
  const suggest = (key: string, name: string) => {
    suggested[key] = name
    left.delete(name)
    open.delete(key)
  }
  for (const [key, like] of open) {
    const name = [...left].find((each) => like.test(each))
    if (name !== undefined) suggest(key, name)
  }
  const alike = { ...suggested }
  // Of one key and one name, nothing else can be meant.
  const [[key] = ['']] = open
  const [name] = left
  if (open.size === 1 && left.size === 1 && name !== undefined) suggest(key, name)
  return { alike, suggested, left: [...left] }
}

/** What sets the names in a target file. @param suggested keys of the binding with their names */
export function namesLine(operation: OperationId, suggested: Readonly<Record<string, string>>): string {
  return Object.keys(suggested).length > 0
    ? bindingLine(suggested)
    : `"binding": { "body.${operation}": "<a JSON object with them>" }`
}

/** What a response says of names that the document does not show. */
export interface AskedNames {
  /** `asks for "uid", which the request does not have` */
  words: string
  /** The line of a target file that adds them. */
  line: string
}

/**
 * Fields that the rejection of a sign-in or an email flow asks for, or what it says of the second password. Undefined if it
 * says nothing of them, or if the target file says what they are called: by itself, or by a profile.
 */
export function askedNames(
  { binding, named: set = [], profile }: Pick<Target, 'binding' | 'named' | 'profile'>,
  { operation, request, response }: Exchange,
): AskedNames | undefined {
  const known = [...namedRequests, ...bodiless].find(({ id }) => id === operation)
  if (known === undefined || profile !== undefined || !response || !isAboutBody(response.status))
    return undefined
  const usual = standardBinding()
  const isOpen = ([key]: BoundName) => !set.includes(key) && (binding[key] ?? usual[key]) === usual[key]
  const open = known.names.filter(isOpen)
  const sent = Object.keys(jsonObject(request.body) ?? {})
  const body = jsonObject(response.body)
  const complaints = complaintsIn(body ?? response.body)
  const isOfHeader = (name: string) =>
    bodiless.includes(known) && (ofHeader.test(name) || /header/i.test(complaints.get(name) ?? ''))
  const lacking = [...complaints.keys()].filter((name) => !sent.includes(name) && !isOfHeader(name))
  const { alike } = suggestedNames(lacking, open, { ...usual, ...binding })
  const names = Object.values(alike)
  const said = textWithoutEcho({ body, text: response.body })
  const others = lacking.filter(
    (name) => !names.includes(name) && (isRequired(name, said) || isAboutAbsence(complaints.get(name))),
  )
  const all = [...names, ...others]
  if (all.length === 0)
    return open.some(([key]) => key === resetKey) ? secondPassword(binding, response.body) : undefined
  const listed = inWords(all.map((name) => JSON.stringify(name)))
  return { words: `asks for ${listed}, which the request does not have`, line: namesLine(known.id, alike) }
}

/** What the rejection of a reset says of the second password, which was the same as the first one. */
function secondPassword(binding: Binding, text: string): AskedNames | undefined {
  const sent = sentName(binding, resetKey)
  const rejection = { body: jsonObject(text), text }
  if (!complainsOfConfirmation(rejection, sent)) return undefined
  const ofSignUp = binding[confirmKey] ?? sent
  const [name = ''] = ofSignUp === sent ? confirmNames(rejection, sent) : [ofSignUp]
  const how = name === '' ? 'which a reset may not take' : `which may be called ${JSON.stringify(name)}`
  return {
    words: `is about the second password, ${how}`,
    line: namesLine('confirmPasswordReset', { [resetKey]: name }),
  }
}

/** Whether an error that names its field says that the field is absent. */
function isAboutAbsence(complaint = ''): boolean {
  return (
    complaint.startsWith('{') && /requir|missing|mandator|blank|not (?:set|given|present)/i.test(complaint)
  )
}

/** Whether a response says that a field is required, under the name of the field or in a sentence. */
function isRequired(name: string, text: string): boolean {
  const word = escapePattern(name)
  const says = '[^"]*(?:requir|missing|mandator|blank)'
  return new RegExp(
    `"${word}"\\s*:\\s*\\[?\\s*"${says}|\\b${word}\\b["'\`]? (?:field )?is ${says}`,
    'i',
  ).test(text)
}
