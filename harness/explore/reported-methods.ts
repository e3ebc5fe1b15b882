/**
 * Which sign-in methods a response of auth-methods reports. Its form is left open by the document: a list of names, an
 * entry for each enabled method, or one for each method that says whether it is enabled.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import { plainName } from './plain-name.ts'

export type ReportedMethod = 'password' | 'otp' | 'oauth2' | 'mfa'

/** What a name may contain as well: `emailAndPassword` is the password, `passwordReset` is not. */
const filler =
  '(?:and|or|with|by|via|emails?|usernames?|identity|auth(?:entication)?|signin|login|methods?|two|steps?)*'
const named = (core: string) => new RegExp(`^${filler}(?:${core})${filler}$`)

/** Names of a method, as `plainName` writes them. The document's own are among them. */
const namesOf: Readonly<Record<ReportedMethod, RegExp>> = {
  password: named('(?:local)?passwords?|credentials?|local'),
  otp: named(
    'otp|onetime(?:passwords?|passcodes?|codes?)?|(?:email|sms|login|by)codes?|passwordless|magiclinks?',
  ),
  oauth2: named('oauth(?:20?)?|authproviders?|social(?:accounts?|providers?)?|oidc|openid(?:connect)?'),
  mfa: named('[m2]fa|(?:multi|two)factor'),
}

const methods = Object.keys(namesOf) as ReportedMethod[]
const longestName = 60
const enabledEnding = /_?(is)?enabled$/i
const NAMES = ['name', 'method', 'type', 'id', 'key', 'kind', 'strategy']

/**
 * Whether each method that the response lists is enabled.
 *
 * @param binding `methods.otp`, for example: another name that the server has for the method
 */
export function methodsIn(response: unknown, binding: Binding): Partial<Record<ReportedMethod, boolean>> {
  const found: Partial<Record<ReportedMethod, boolean>> = {}
  const add = (method: ReportedMethod, enabled: boolean) => {
    found[method] = enabled || found[method] === true
  }
  look(response, add, (name) => methodOf(name, binding))
  return found
}

/** The same; undefined if the response says something, but nothing in it is recognized. */
export function recognizedMethods(
  response: unknown,
  binding: Binding,
): Partial<Record<ReportedMethod, boolean>> | undefined {
  const reported = methodsIn(response, binding)
  return Object.keys(reported).length === 0 && saysSomething(response) ? undefined : reported
}

/**
 * Names of enabled entries next to those of methods that are not known themselves: one of them may be another name of the
 * method. None if the response says of the method that it is off.
 *
 * @param binding as for `methodsIn`
 */
export function unknownEntries(response: unknown, binding: Binding, method: ReportedMethod): string[] {
  return methodsIn(response, binding)[method] === false ? [] : unknownIn(response, binding)
}

function unknownIn(response: unknown, binding: Binding): string[] {
  const entries = entriesIn(response)
  const unknown = entries.filter(
    ([name]) => methodOf(name, binding) === undefined && !refreshNames.includes(plainName(name)),
  )
  if (unknown.length < entries.length)
    return unknown.flatMap(([name, value]) => (name !== '' && isEnabled(value) ? [name] : []))
  return isObject(response) ? Object.values(response).flatMap((inner) => unknownIn(inner, binding)) : []
}

/** Possible entries with their names: strings of a list, objects that name themselves, and keys with more than a text or number. */
function entriesIn(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value))
    return value.flatMap((each): [string, unknown][] => {
      if (typeof each === 'string') return [[each, true]]
      return isObject(each) ? [[NAMES.map((key) => each[key]).find(isText) ?? '', each]] : []
    })
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    typeof inner === 'boolean' || typeof inner === 'object' ? [[key.replace(enabledEnding, ''), inner]] : [],
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Lists that are empty, and nothing else, report that there is no method. */
function saysSomething(body: unknown): boolean {
  return typeof body === 'object' ? Object.values(body ?? {}).some(saysSomething) : body !== false
}

/**
 * Whether the response says of refreshes, which the document lists among the methods (section 5), that they are off. It need
 * not mention them.
 */
export function reportsNoRefresh(response: unknown): boolean {
  const said: boolean[] = []
  look(
    response,
    (_, enabled) => void said.push(enabled),
    (name) =>
      typeof name === 'string' && refreshNames.includes(plainName(name)) ? ('refresh' as const) : undefined,
  )
  return said.length > 0 && !said.includes(true)
}

/**
 * Whether the response says that accounts sign in by their email address, and names no other field. It need not name any.
 */
export function reportsEmailsOnly(response: unknown): boolean {
  const fields = identitiesIn(response)
  return fields.length > 0 && fields.every((field) => /^e-?mail$/i.test(field))
}

/**
 * The field that signs accounts in, where the response names such fields, and none of them is an address: the first. The
 * response need not name any.
 */
export function reportedUsername(response: unknown): string | undefined {
  const fields = identitiesIn(response)
  const isName = (field: string) => /^[a-z][\w-]*$/i.test(field) && !/e-?mail/i.test(field)
  return fields.every(isName) ? fields[0] : undefined
}

/** Where a response names fields that may be the identity of a sign-in (document, section 2.2). */
function identitiesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(identitiesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!identityKeys.includes(plainName(key))) return identitiesIn(inner)
    const names = Array.isArray(inner) ? inner : [inner]
    // What is not a list of names may say that there are others.
    return names.map((name) => (typeof name === 'string' ? name : ''))
  })
}

const identityKeys: readonly string[] = ['identity', 'identities', 'identityfield', 'identityfields']

const refreshNames: readonly string[] = ['refresh', 'authrefresh', 'sessionrefresh', 'tokenrefresh']

function look<Method extends string>(
  value: unknown,
  add: (method: Method, enabled: boolean) => void,
  methodNamed: (name: unknown) => Method | undefined,
): void {
  if (typeof value === 'string') {
    const method = methodNamed(value)
    if (method !== undefined) add(method, true)
  } else if (Array.isArray(value)) {
    for (const each of value) look(each, add, methodNamed)
  } else if (isObject(value)) {
    const named = NAMES.map((key) => methodNamed(value[key])).find((method) => method !== undefined)
    if (named !== undefined) add(named, isEnabled(value))
    else
      for (const [key, inner] of Object.entries(value)) {
        const method = methodNamed(key.replace(enabledEnding, ''))
        if (method !== undefined) add(method, isEnabled(inner))
        else if (typeof inner === 'object') look(inner, add, methodNamed)
        else if (NAMES.includes(key) || typeof inner === 'string') look(inner, add, methodNamed)
      }
  }
}

function methodOf(name: unknown, binding: Binding): ReportedMethod | undefined {
  if (typeof name !== 'string' || name.length > longestName) return undefined
  const plain = plainName(name)
  return (
    methods.find((method) => plainName(binding[`methods.${method}`] ?? method) === plain) ??
    methods.find((method) => namesOf[method].test(plain))
  )
}

/** An entry is there for what is enabled, unless it says otherwise. */
function isEnabled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'string') return !/^(off|no|false|disabled|inactive|none|)$/i.test(value)
  if (!isObject(value)) return Boolean(value)
  for (const key of ['enabled', 'active', 'isEnabled', 'available']) {
    const said = value[key]
    if (typeof said === 'boolean') return said
  }
  if (typeof value.disabled === 'boolean') return !value.disabled
  return typeof value.status === 'string' ? isEnabled(value.status) : true
}
