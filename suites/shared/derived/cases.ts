/**
 * All cases that the description gives for an operation, in its order: each path, query and header parameter, each key of
 * the body, the body as a whole, its media types, and the methods that the path does not have. Pure.
 *
 * Some are left out, since no run could take them back:
 * - an empty segment of a path is another path, and with PATCH or DELETE perhaps the whole table;
 * - a create whose body a server may read as empty would make a record that nothing shows to be the run's;
 * - the id in the body of a write decides which record it is about;
 * - methods that are not described are sent to the records of no table.
 *
 * @module
 */

import { type OperationSpec, operations } from '../../../spec/openapi.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { bodyKeysOf } from './body-keys.ts'
import type { CasePlace, DerivedCase, Raw, ValueChange } from './case.ts'
import {
  fitting,
  type Shape,
  shapeOf,
  to,
  type WrongValue,
  wrong,
  wrongParameters,
  wrongValues,
} from './values.ts'

const JSON_TYPE = 'application/json'

/** What a case says of itself, without the operation. */
type Part = Omit<DerivedCase, 'operation' | 'title'> & { detail?: string }

const known = new Map<OperationId, readonly DerivedCase[]>()

/** @returns the same list at every call; do not change it */
export function casesOf(id: OperationId): readonly DerivedCase[] {
  let cases = known.get(id)
  if (cases === undefined) {
    const spec = operations().find((each) => each.id === id)
    cases = (spec === undefined ? [] : partsOf(spec)).map(({ detail, ...part }) => ({
      ...part,
      operation: id,
      title: titleOf(part, detail),
    }))
    known.set(id, cases)
  }
  return cases
}

function titleOf({ place, name, role, mutation }: Omit<Part, 'detail'>, detail?: string): string {
  const where = role === undefined ? name : `${role}.${name}`
  const what = where === '' ? place : `${place} \`${where}\``
  return `${what} ${mutation}${detail === undefined ? '' : ` (${detail})`}`
}

function partsOf(spec: OperationSpec): Part[] {
  return [...parameterParts(spec), ...headerParts(spec), ...bodyParts(spec), ...methodParts(spec)]
}

const at =
  (place: CasePlace, name: string, role?: string) =>
  (value: WrongValue): Part => ({ place, name, ...value, role })

const raw = (text: string): Raw => ({ raw: text })
/** Where a valid request has nothing, its value is one that fits. */
const orExample =
  (shape: Shape) =>
  (value: WrongValue): WrongValue => ({
    ...value,
    change: (right) => value.change(right === undefined ? fitting(shape) : right),
  })

// ---------------------------------------------------------------- parameters

/** Characters of a path segment without a bound, and of one beyond what any server needs. */
const longestSegment = 255

function parameterParts({ parameters }: OperationSpec): Part[] {
  const described = parameters.flatMap(({ name, in: where, schema }) =>
    where === 'path'
      ? segments.map(at('path parameter', name))
      : wrongParameters(shapeOf(schema, () => ({})))
          .map(orExample(shapeOf(schema, () => ({}))))
          .map(at('query parameter', name)),
  )
  return [
    ...described,
    at('query parameter', 'no-such-parameter')(wrong('unknown', to('1'), undefined, true)),
  ]
}

const segments: readonly WrongValue[] = [
  wrong('unknown', to('nosuchname12345')),
  wrong('null', to('null'), 'the word'),
  wrong('malformed', to('nosuch\u0000name'), 'a NUL'),
  wrong('malformed', to(raw('nosuch%FFname')), 'a byte that is not UTF-8'),
  wrong('at a bound', to('x'.repeat(longestSegment)), `${longestSegment} characters`),
  wrong('beyond a bound', to('x'.repeat(longestSegment + 1)), `${longestSegment + 1} characters`),
]

// ---------------------------------------------------------------- headers

/** Characters of a header: more than any token has, and fewer than servers have room for. */
const longHeader = 3_000

function headerParts(spec: OperationSpec): Part[] {
  const needsToken = !spec.security.some((schemes) => schemes.length === 0)
  return [
    ...tokens(needsToken).map(at('header', 'Authorization')),
    ...accepts.map(at('header', 'Accept')),
    ...(spec.requestBody === undefined ? [] : contentTypes(spec).map(at('header', 'Content-Type'))),
    at('header', 'X-No-Such-Header')(wrong('unknown', to('1'), undefined, true)),
  ]
}

function tokens(needed: boolean): WrongValue[] {
  // The token of an actor of the target is not known to a check.
  const ofRight =
    (change: (token: string) => readonly string[]): ValueChange =>
    (right) =>
      typeof right === 'string' ? change(right) : []
  return [
    ...(needed
      ? [
          wrong('omitted', to()),
          wrong(
            'malformed',
            ofRight((token) => [token.slice(0, -4)]),
            'its end cut off',
          ),
          wrong(
            'duplicated',
            ofRight((token) => [token, token]),
            'both right',
            true,
          ),
        ]
      : []),
    wrong('empty', to('')),
    wrong('unknown', to('no-such-token')),
    wrong('malformed', to('Basic'), 'a scheme alone'),
    wrong('of a wrong type', to('Basic bm86c3VjaA=='), 'another scheme'),
    wrong('too long', to('x'.repeat(longHeader)), `${longHeader} characters`),
  ]
}

/** Every body is JSON, whatever a client says that it reads. */
const accepts: readonly WrongValue[] = [
  wrong('empty', to(''), undefined, true),
  wrong('unknown', to('application/x-unknown'), undefined, true),
  wrong('of a wrong type', to('text/html'), 'text/html', true),
  wrong('malformed', to(';'), undefined, true),
]

/** What the header says of a JSON body. */
function contentTypes({ id, requestBody }: OperationSpec): WrongValue[] {
  const upper = wrong('of a wrong type', to(JSON_TYPE.toUpperCase()), 'in capitals', true)
  if (id === 'createRecord') return [upper]
  const others = Object.keys(requestBody?.content ?? {}).filter((type) => type !== JSON_TYPE)
  return [
    upper,
    wrong('omitted', to(), undefined, true),
    wrong('empty', to(''), undefined, true),
    wrong('malformed', to(';'), undefined, true),
    wrong('unknown', to('application/x-unknown'), undefined, true),
    wrong('of a wrong type', to(`${JSON_TYPE}; charset=utf-16`), 'another charset', true),
    wrong('duplicated', (right) => [right, right], undefined, true),
    ...others.map((type) => wrong('of a wrong type', to(type), type, true)),
  ]
}

// ---------------------------------------------------------------- bodies

function bodyParts(spec: OperationSpec): Part[] {
  const { id, requestBody } = spec
  if (requestBody === undefined)
    return [
      at('body', '')(wrong('unknown', to({ x: 'x' }), 'an object')),
      at('body', '')(wrong('malformed', to(raw('{"x":')), 'cut off')),
    ]
  const keys = bodyKeysOf(spec)
  const levels = [
    ...new Set(keys.map(({ name, role }) => JSON.stringify([name.replace(/[^.]*$/, ''), role]))),
  ]
  return [
    ...keys.flatMap(({ name, role, required, shape }) =>
      wrongValues(shape, required)
        .map(orExample(shape))
        .map(at('body key', name, role)),
    ),
    ...levels.map((level) => {
      const [before = '', role] = JSON.parse(level) as [string, string | undefined]
      return at(
        'body key',
        `${before}no-such-key`,
        role ?? undefined,
      )(wrong('unknown', to('x'), undefined, true))
    }),
    ...(id === 'createRecord' ? marked : [...marked, ...unmarked]).map(at('body', '')),
    ...Object.keys(requestBody.content)
      .filter((type) => type !== JSON_TYPE)
      .map((type) => at('media type', type)(wrong('described', (right) => [right], undefined, true))),
  ]
}

const json = (value: unknown) => JSON.stringify(value)

/** What still contains the strings of a right body: a record that a server makes of it is known as the run's. */
const marked: readonly WrongValue[] = [
  wrong('malformed', (right) => [raw(json(right).slice(0, -1))], 'cut off', true),
  wrong('malformed', (right) => [raw(`${json(right)}x`)], 'text after it', true),
  wrong('malformed', (right) => [raw(`\ufeff${json(right)}`)], 'a byte order mark before it', true),
]

const unmarked: readonly WrongValue[] = [
  wrong('omitted', to()),
  wrong('empty', to({}), 'an object without keys'),
  wrong('empty', to(raw('')), 'no bytes'),
  wrong('null', to(null)),
  wrong('of a wrong type', (right) => [[right]], 'a list of it', true),
  wrong('of a wrong type', to('x'), 'a string'),
  wrong('of a wrong type', to(42), 'a number'),
  wrong('of a wrong type', to(true), 'a boolean'),
]

// ---------------------------------------------------------------- methods

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Methods that the path does not have. They belong to the first operation of the path. */
function methodParts({ id, path }: OperationSpec): Part[] {
  const same = operations().filter((each) => each.path === path)
  if (same[0]?.id !== id) return []
  const described = new Set<string>(same.map(({ method }) => method))
  return METHODS.filter((method) => !described.has(method)).map((method) =>
    at('method', method)(wrong('unknown', to(method))),
  )
}
