/**
 * Ways to mangle a response, for the question whether a run ends with a verdict whatever one operation returns.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { on } from '../../proofs/faults/combinators/combinators.ts'
import type { FaultTools, Middleware } from '../../proofs/faults/fault.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

export type Mangling = (response: Response) => Promise<Response> | Response

const headers = { 'content-type': 'application/json' }
const text = (body: string, status = 200) => new Response(body, { status, headers })
/** The same bytes for everything. */
const says =
  (body: string, status?: number): Mangling =>
  () =>
    text(body, status)

/** Changes the text of a response that has one. */
const rewritten =
  (change: (body: string) => string, more: Record<string, string> = headers): Mangling =>
  async (response) => {
    const body = await response.text()
    return body === ''
      ? new Response(null, { status: response.status })
      : new Response(change(body), { status: response.status, headers: more })
  }

/** Changes each value in the body of a response, parents before what they contain. */
const everywhere = (change: (value: unknown, key: string) => unknown): Mangling =>
  rewritten((body) => {
    const walk = (value: unknown, key: string): unknown => {
      const changed = change(value, key)
      if (Array.isArray(changed)) return changed.map((each) => walk(each, key))
      if (!isObject(changed)) return changed
      return Object.fromEntries(Object.entries(changed).map(([name, each]) => [name, walk(each, name)]))
    }
    return JSON.stringify(walk(JSON.parse(body), ''))
  })

/** Sets the members with these names. */
const members = (names: readonly string[], value: unknown): Mangling =>
  everywhere((each, key) => (names.includes(key) ? value : each))
const without = (...names: string[]): Mangling =>
  everywhere((each) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).filter(([key]) => !names.includes(key))) : each,
  )

export const manglings: Readonly<Record<string, Mangling>> = {
  null: says('null'),
  'an empty object': says('{}'),
  'an empty list': says('[]'),
  'an empty string': says('""'),
  'a number': says('7'),
  true: says('true'),
  'nested lists': says('[[[[{}]]],[null],[]]'),
  'lists nested 100,000 deep': says('['.repeat(100_000) + ']'.repeat(100_000)),
  'no bytes': says(''),
  'no bytes and 204': () => new Response(null, { status: 204 }),
  'a page of HTML': () => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } }),
  'another content type': rewritten((body) => body, { 'content-type': 'text/plain' }),
  'a malformed content type': rewritten((body) => body, { 'content-type': ';=/,"' }),
  'half of the body': rewritten((body) => body.slice(0, body.length / 2)),
  'every key twice': rewritten((body) => body.replace(/^\{(.*)\}$/s, '{$1,$1}')),
  'a status of 500': says('{}', 500),
  'a status of 302': () => new Response(null, { status: 302, headers: { location: '/' } }),
  'a status of 302 to nowhere': () => new Response('null', { status: 302, headers }),
  'a rejection without an envelope': says('null', 400),
  'a rejection whose data is a list': says('{"status":"400","message":7,"data":[null]}', 400),
  'items that are null': members(['items'], null),
  'items that are an object': members(['items'], { 0: {} }),
  'items of other types': members(['items'], [null, 7, 'x', [], [[]], {}]),
  'records that are null': members(['record', 'body'], null),
  'records that are lists': members(['record', 'body'], [[]]),
  'records without ids': without('id'),
  'ids that are null': members(['id'], null),
  'ids that are numbers': members(['id'], 7),
  'ids that are objects': members(['id'], { id: {} }),
  'ids with odd characters': members(['id'], '../%00\u0000?\ud800#"'),
  'tokens that are null': members(['token'], null),
  'tokens that are numbers': members(['token'], 7),
  'tokens that are objects': members(['token'], { token: null }),
  'tokens that no header can carry': members(['token'], 'a\r\nb: ć\u0000'),
  'tokens of empty parts': members(['token'], '..'),
  'tokens with claims that are null': members(['token'], `a.${btoa('null')}.c`),
  'strings for numbers': everywhere((value) => (typeof value === 'number' ? String(value) : value)),
  'numbers for strings': everywhere((value) => (typeof value === 'string' ? 7 : value)),
  'null for each member': everywhere((value, key) => (key === '' ? value : null)),
  'objects for strings': everywhere((value) => (typeof value === 'string' ? { value: null } : value)),
  'lists for strings': everywhere((value) => (typeof value === 'string' ? [] : value)),
  'strings for booleans': everywhere((value) => (typeof value === 'boolean' ? 'no' : value)),
  'null for lists': everywhere((value) => (Array.isArray(value) ? null : value)),
  'strings for lists': everywhere((value) => (Array.isArray(value) ? 'list' : value)),
  'lists of null': everywhere((value) => (Array.isArray(value) ? [null] : value)),
  'huge numbers': rewritten((body) => body.replace(/:\d+/g, ':1e999')),
  'negative numbers': everywhere((value) => (typeof value === 'number' ? -1e300 : value)),
  'lone surrogates': everywhere((value) => (typeof value === 'string' ? '\ud800' : value)),
  'times that are none': members(['created', 'updated'], '9999-99-99 99:99:99.999Z'),
  'keys of every prototype': rewritten((body) =>
    body.replace(/^\{/, '{"__proto__":null,"constructor":null,'),
  ),
}

/** Which of the responses of the operation are mangled: where all are, little is sent afterwards. */
export const turns: Readonly<Record<string, (at: number) => boolean>> = {
  'all responses': () => true,
  'every second response': (at) => at % 2 === 1,
  'one response of three': (at) => at % 3 === 2,
}

/** Replaces responses of one operation. */
export function mangling(operation: OperationId, mangle: Mangling, isTurn: (at: number) => boolean) {
  return (tools: FaultTools): Middleware => {
    let responses = 0
    return on(operation, async (request, next) => {
      const response = await next(request)
      return isTurn(responses++) ? mangle(response) : response
    })(tools)
  }
}
