/**
 * How existing servers respond to writes, and how they keep and show values: one line each in the files above.
 *
 * @module
 */

import {
  all,
  isJsonObject,
  type JsonValue,
  json,
  type Match,
  type Operations,
  on,
  rewriteBody,
  rewriteEntries,
  tamperRecord,
} from '../../faults/combinators/combinators.ts'
import { fieldRejection, WRITES } from '../../faults/combinators/field.ts'
import type { Variation } from '../variation.ts'

type Make = Variation['make']

/** Successful responses have this status and body; undefined for no body. */
export function responses(
  operations: Operations,
  status: number,
  body: (record: JsonValue, match: Match) => unknown,
  headers: (record: JsonValue, url: URL) => Record<string, string> = () => ({}),
): Make {
  return on(operations, async (request, next, match) => {
    const response = await next(request)
    if (!response.ok) return response
    const text = await response.text()
    const found: unknown = text === '' ? {} : JSON.parse(text)
    const record = (typeof found === 'object' && found !== null ? found : {}) as JsonValue
    const answer = json(status, body(record, match))
    // The response of another variation may not show an id.
    const reported = 'id' in record ? headers(record, new URL(request.url)) : {}
    for (const [name, value] of Object.entries(reported)) answer.headers.set(name, value)
    return answer
  })
}

/** Successful responses have another status. A body stays, unless the status forbids one; where there was none, a 200 has an object. */
export function succeedsWith(operations: Operations, status: number): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const text = await response.text()
    return json(status, text === '' ? {} : JSON.parse(text))
  })
}

/** Rejections have another status. The response to a first factor stays: it holds an `mfaId`. */
export function rejectsWith(operations: Operations, status: number): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    if (response.status < 400) return response
    const text = await response.text()
    return text.includes('"mfaId"') ? new Response(text, response) : fieldRejection(status)
  })
}

/** Requests that are rejected with one of these statuses are rejected with another one. */
export function refusesWith(operations: Operations, from: readonly number[], to: number): Make {
  return on(operations, async (request, next) => {
    const response = await next(request)
    return from.includes(response.status) ? fieldRejection(to) : response
  })
}

/** Every record, wherever it is shown, has this field in another form. What it does not have stays missing. */
export function showsAs(field: string, change: (value: unknown, record: JsonValue) => unknown): Make {
  return tamperRecord('*', (record) => {
    if (!(field in record)) return record
    const { [field]: value, ...rest } = record
    const shown = change(value, record)
    return shown === undefined ? rest : { ...record, [field]: shown }
  })
}

/** Every record, wherever it is shown, has its values in another form; undefined leaves one out. */
export function showsAll(change: (value: unknown, field: string, record: JsonValue) => unknown): Make {
  return tamperRecord('*', (record) =>
    Object.fromEntries(
      Object.entries(record)
        .map(([field, value]): [string, unknown] => [field, change(value, field, record)])
        .filter(([, value]) => value !== undefined),
    ),
  )
}

/** A field has this form in records where no write has set it; undefined omits it. */
export function showsUnsetAs(field: string, form: unknown): Make {
  return (tools) => {
    const named = new Set<unknown>()
    const learn = on([...WRITES, 'batch'], async (request, next, { operation, id }) => {
      const sent = await request.clone().text()
      const response = await next(request)
      if (!response.ok || !sent.includes(`"${field}"`)) return response
      const text = await response.clone().text()
      const ids = operation === 'batch' ? text.match(/(?<="id":")[^"]+/g) : [id ?? idIn(text)]
      for (const each of ids ?? []) named.add(each)
      return response
    })(tools)
    const show = showsAs(field, (value, { id }) => (named.has(id) || value === true ? value : form))(tools)
    return (request, next) => show(request, (each) => learn(each, next))
  }
}

function idIn(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as JsonValue).id
}

/** Keeps what is written in another form, alone and in batches. */
export function keepsAs(change: (value: unknown, field: string) => unknown): Make {
  const changed = (body: JsonValue): JsonValue =>
    Object.fromEntries(Object.entries(body).map(([field, value]) => [field, change(value, field)]))
  return all(
    rewriteBody(WRITES, changed),
    rewriteEntries((entry) => (isJsonObject(entry.body) ? { ...entry, body: changed(entry.body) } : entry)),
  )
}

/** Keeps the values of one field in another form. */
export function keepsField(field: string, change: (value: unknown) => unknown): Make {
  return keepsAs((value, name) => (name === field ? change(value) : value))
}

/** Keys of the server's own in every record of these responses. */
export function showsToo(operations: Operations, own: (record: JsonValue) => JsonValue): Make {
  return tamperRecord(operations, (record) => ({ ...record, ...own(record) }))
}

/** The text fields of the tables of the suite. */
export const STRINGS: readonly string[] = ['title', 'text', 'name', 'label', 'code']

/** Changes strings in text fields only. */
export function keepsStrings(change: (text: string) => string): Make {
  return keepsAs((value, field) =>
    STRINGS.includes(field) && typeof value === 'string' ? change(value) : value,
  )
}
