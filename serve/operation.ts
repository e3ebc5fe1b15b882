/**
 * One operation of the control endpoints or the console page, and the validation of its body.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { didYouMean, quoted } from '../spec/nearest.ts'
import { InvalidControlRequest, type JsonObject } from './respond.ts'
import type { Serving } from './serving.ts'

/** `control`: programs and pages of this machine, with `--control`. `console`: the server's own page. */
export type EndpointGroup = 'control' | 'console'

/** `any`: the operation validates the value itself. */
type KeyType = 'string' | 'strings' | 'integer' | 'boolean' | 'object' | 'any'

/** A key of the JSON object in the body. */
export interface ControlBodyKey {
  type: KeyType
  /** The only allowed values. */
  oneOf?: readonly string[]
  /** Of an integer. */
  least?: number
  most?: number
  /** `true`, or the key without which it is required. */
  required?: true | string
  says: string
}

/** A parameter of the query. */
export interface ControlParameter {
  /** The only allowed values. */
  oneOf?: readonly string[]
  /** For a whole number: the greatest one. The least is 0. */
  most?: number
  says: string
}

type BodyKeys = Readonly<Record<string, ControlBodyKey>>

/** The string type of the key, or a union of its values if they are listed. */
type StringOf<Key extends ControlBodyKey> = Key extends { oneOf: readonly (infer Value)[] } ? Value : string

type ValueOf<Key extends ControlBodyKey> = Key['type'] extends 'string'
  ? StringOf<Key>
  : Key['type'] extends 'strings'
    ? StringOf<Key>[]
    : Key['type'] extends keyof PlainTypes
      ? PlainTypes[Key['type']]
      : unknown

interface PlainTypes {
  integer: number
  boolean: boolean
  object: JsonObject
}

/** A validated body. */
type BodyOf<Keys extends BodyKeys> = {
  [Name in keyof Keys]: ValueOf<Keys[Name]> | (Keys[Name]['required'] extends true ? never : undefined)
}

export interface ControlRequest<Body = JsonObject> {
  serving: Serving
  request: Request
  /** The segments at the parameters of the path, decoded. */
  parameters: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Empty if the operation has no body. */
  body: Body
  /** The JSON value that was sent, if the operation accepts any. */
  content: unknown
}

export interface ServeOperation<Keys extends BodyKeys = BodyKeys> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** After `/_conformance/` or `/_/api/`; a segment in braces is a parameter. */
  path: string
  groups: readonly EndpointGroup[]
  query?: Readonly<Record<string, ControlParameter>>
  /** Absent: no body is read. */
  body?: Keys
  /** The content of the whole body, instead of keys: `run` receives it as `content`. */
  content?: string
  /** The result, for the documentation. */
  returns: string
  /** @returns the JSON of the response, undefined for a 204, or a response. @throws InvalidControlRequest */
  run(request: ControlRequest<BodyOf<Keys>>): unknown
}

/** An operation with the body type that its keys declare. */
export function controlOperation<const Keys extends BodyKeys>(
  declared: ServeOperation<Keys>,
): ServeOperation {
  // The body is validated before it runs.
  return declared as unknown as ServeOperation
}

/**
 * The kind of an email is `password-reset`, and the kind of its token `passwordReset`: each is accepted for the other.
 *
 * @returns the value as the list has it
 */
function listedSpelling<Value>(value: Value, oneOf: readonly string[] = []): Value | string {
  if (typeof value !== 'string' || oneOf.includes(value)) return value
  const withHyphens = (text: string) => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return oneOf.find((one) => withHyphens(one) === withHyphens(value)) ?? value
}

/**
 * Values in another spelling are replaced by the listed ones.
 *
 * @throws InvalidControlRequest for an unknown key, a missing one, and a value of the wrong type
 */
export function checkBody(body: JsonObject, keys: BodyKeys): void {
  const names = Object.keys(keys)
  const unknown = Object.keys(body).find((key) => !names.includes(key))
  if (unknown !== undefined)
    throw new InvalidControlRequest(
      names.length === 0
        ? `Unknown key ${quoted(unknown)}: this request has no keys. Send no body.`
        : `Unknown key ${quoted(unknown)}.${didYouMean(unknown, names)} Use ${names.join(', ')}.`,
    )
  for (const [name, key] of Object.entries(keys)) {
    const value = listedSpelling(body[name], key.oneOf)
    if (value !== body[name]) body[name] = value
    if (value === undefined || value === '') expectOptional(name, key, body)
    else if (!fits(value, key)) {
      const hint = typeof value === 'string' ? didYouMean(value, key.oneOf ?? []) : ''
      throw new InvalidControlRequest(`"${name}" must be ${expected(key)}, not ${shown(value)}.${hint}`)
    }
  }
}

/**
 * Values in another spelling are replaced by the listed ones.
 *
 * @throws InvalidControlRequest for a parameter that the operation does not have, and for a wrong value
 */
export function checkQuery(query: URLSearchParams, known: Readonly<Record<string, ControlParameter>>): void {
  const names = Object.keys(known)
  for (const [name, given] of [...query]) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (parameter === undefined) {
      const list = names.length === 0 ? 'There are none.' : `Use ${names.join(', ')}.`
      throw new InvalidControlRequest(`Unknown parameter ${quoted(name)}.${didYouMean(name, names)} ${list}`)
    }
    if (query.getAll(name).length > 1)
      throw new InvalidControlRequest(`The parameter ${quoted(name)} is given twice. Use it once.`)
    // An empty parameter counts as left out, as in a form.
    if (given === '') continue
    const value = listedSpelling(given, parameter.oneOf)
    expectValue(name, value, parameter)
    query.set(name, value)
  }
}

function expectValue(name: string, value: string, { oneOf, most }: ControlParameter): void {
  if (oneOf?.includes(value) === false)
    throw new InvalidControlRequest(
      `"${name}" must be one of ${oneOf.join(', ')}, not ${quoted(value)}.${didYouMean(value, oneOf)}`,
    )
  if (most !== undefined && !(/^\d+$/.test(value) && Number(value) <= most))
    throw new InvalidControlRequest(
      `"${name}" must be a whole number from 0 to ${most}, not ${quoted(value)}.`,
    )
}

/** Only strings are quoted. Long values are cut. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  const text = JSON.stringify(value)
  return text.length > 64 ? `${text.slice(0, 64)}…` : text
}

function expectOptional(name: string, key: ControlBodyKey, body: JsonObject): void {
  const { required } = key
  if (required === true)
    throw new InvalidControlRequest(`"${name}" is required and must be ${expected(key)}.`)
  if (required !== undefined && body[required] === undefined)
    throw new InvalidControlRequest(`"${name}" or "${required}" is required.`)
}

function fits(value: unknown, { type, oneOf, least = -Infinity, most = Infinity }: ControlBodyKey): boolean {
  const isString = (each: unknown) => typeof each === 'string' && oneOf?.includes(each) !== false
  if (type === 'string') return isString(value)
  if (type === 'strings') return Array.isArray(value) && value.every(isString)
  if (type === 'integer')
    return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
  if (type === 'object') return isObject(value)
  return type === 'any' || typeof value === 'boolean'
}

function expected({ type, oneOf, least, most }: ControlBodyKey): string {
  if (type === 'integer') return most === undefined ? 'an integer' : `an integer from ${least} to ${most}`
  if (type === 'boolean') return 'true or false'
  if (type === 'object') return 'an object'
  if (type === 'strings') return `an array of ${oneOf === undefined ? 'strings' : oneOf.join(', ')}`
  return oneOf === undefined ? 'a string' : `one of ${oneOf.join(', ')}`
}
