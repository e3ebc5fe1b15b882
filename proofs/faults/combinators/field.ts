/**
 * Faults about single fields and error responses, one line each. Tables are those of `spec/tables.yaml`.
 *
 * @module
 */

import type { FaultTools, Middleware } from '../fault.ts'
import {
  all,
  another,
  type JsonValue,
  json,
  type Operations,
  on,
  parsedBody,
  rewriteBody,
  tamperRecord,
} from './combinators.ts'

type Make = (tools: FaultTools) => Middleware

/** The operations that return one record of a table. */
export const RECORD_OPERATIONS = ['createRecord', 'viewRecord', 'updateRecord'] as const

/** The operations that write one record. */
export const WRITES = ['createRecord', 'updateRecord'] as const

/** The operations on records of one table. */
export const ALL_FIVE = ['listRecords', 'viewRecord', 'createRecord', 'updateRecord', 'deleteRecord'] as const

/** Error codes by field of an error response. */
function codesOf(body: unknown): Record<string, unknown> {
  const data = (body as { data?: Record<string, { code?: unknown }> } | undefined)?.data ?? {}
  return Object.fromEntries(Object.entries(data).map(([field, error]) => [field, error?.code]))
}

/** Accepts what must be rejected because of a field: responds as if it had been done, and does nothing. */
export function acceptsField(
  field: string,
  code: string,
  operations: Operations = ['createRecord', 'updateRecord'],
): Make {
  return on(operations, async (request, next, { table, id }) => {
    const response = await next(request)
    if (response.status !== 400) return response
    const body: unknown = await response.clone().json()
    if (codesOf(body)[field] !== code) return response
    return json(200, { id: id ?? 'taken0000000000', collectionId: table, collectionName: table })
  })
}

/** Changes one field of the body of creates and updates before the reference sees it. */
export function misreads(
  field: string,
  change: (value: unknown) => unknown,
  operations: Operations = ['createRecord', 'updateRecord'],
): Make {
  return rewriteBody(operations, (body) => (field in body ? { ...body, [field]: change(body[field]) } : body))
}

/** Forgets keys of the body of creates and updates. */
export function forgets(operations: Operations, forgotten: (key: string, value: unknown) => boolean): Make {
  return rewriteBody(operations, (body) =>
    Object.fromEntries(Object.entries(body).filter(([key, value]) => !forgotten(key, value))),
  )
}

/** Reads a key of the body as another one. */
export function mistakes(
  key: string,
  forKey: string,
  operations: Operations = ['createRecord', 'updateRecord'],
): Make {
  return rewriteBody(operations, ({ [key]: value, ...rest }) =>
    value === undefined ? rest : { ...rest, [forKey]: value },
  )
}

/** Changes one field of the record in every response with a single record. */
export function shows(
  field: string,
  change: (value: unknown, record: JsonValue) => unknown,
  operations: Operations = RECORD_OPERATIONS,
): Make {
  return tamperRecord(operations, (record) =>
    field in record ? { ...record, [field]: change(record[field], record) } : record,
  )
}

/** Rejects bodies that must be accepted. */
export function rejects(operations: Operations, when: (body: JsonValue) => boolean, status = 400): Make {
  return on(operations, async (request, next) => {
    const body = await parsedBody(request)
    return body !== undefined && when(body)
      ? json(status, { data: {}, message: 'Refused.', status })
      : next(request)
  })
}

/** Returns what the client sent for a field, as if it had been stored. */
export function echoes(field: string): Make {
  return on(['createRecord', 'updateRecord'], async (request, next) => {
    const sent = await parsedBody(request)
    const response = await next(request)
    if (!response.ok || sent?.[field] === undefined) return response
    return json(response.status, { ...((await response.json()) as JsonValue), [field]: sent[field] })
  })
}

/** Responds according to the request alone; undefined passes it on. */
export function first(
  operations: Operations,
  look: (request: Request, text: string) => Response | undefined,
): Make {
  return on(operations, async (request, next) => look(request, await request.clone().text()) ?? next(request))
}

/** Changes the text of a body, whatever it is. */
export function rewriteText(
  operations: Operations,
  change: (text: string, request: Request) => string,
): Make {
  return on(operations, async (request, next) => {
    const text = await request.clone().text()
    const changed = change(text, request)
    if (changed === text) return next(request)
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    return next(new Request(request.url, { method: request.method, headers, body: changed }))
  })
}

/** Changes the parts of a multipart body: undefined leaves a part out. */
export function rewriteParts(
  operations: Operations,
  change: (key: string, value: string | File) => string | undefined,
): Make {
  return on(operations, async (request, next) => {
    if (!(request.headers.get('content-type') ?? '').startsWith('multipart/form-data;')) return next(request)
    const form = new FormData()
    for (const [key, value] of await request.clone().formData()) {
      const renamed = change(key, value)
      if (renamed !== undefined) form.append(renamed, value)
    }
    const headers = new Headers(request.headers)
    for (const name of ['content-length', 'content-type']) headers.delete(name)
    return next(new Request(request.url, { method: request.method, headers, body: form }))
  })
}

/**
 * Records of `plain` also have fields of the server's own table, with these values at first.
 *
 * @param updated the own fields of a record after an update that sends some of them
 */
export function hasOwnFields(
  atFirst: JsonValue,
  updated: (own: JsonValue, sent: JsonValue) => JsonValue,
): Make {
  return (tools) => {
    const byId = new Map<unknown, JsonValue>()
    const write = on(WRITES, async (request, next, { operation, id, table }) => {
      const sent = await parsedBody(request)
      const response = await next(request)
      if (!response.ok || sent === undefined || table?.startsWith('conf_plain') !== true) return response
      const own = Object.fromEntries(Object.entries(sent).filter(([field]) => field in atFirst))
      if (operation === 'updateRecord') byId.set(id, updated(byId.get(id) ?? atFirst, own))
      else byId.set(((await response.clone().json()) as JsonValue).id, { ...atFirst, ...own })
      return response
    })
    const show = tamperRecord('*', (record) =>
      record.collectionName === 'conf_plain' ? { ...record, ...(byId.get(record.id) ?? atFirst) } : record,
    )
    return all(show, write)(tools)
  }
}

/** An error body of the standard profile. */
export function fieldRejection(status: number, data: JsonValue = {}): Response {
  return json(status, { data, message: 'Refused.', status })
}

/** A request with an object instead of its body, as JSON. */
export function withObject(request: Request, body: JsonValue): Request {
  return another(request, request.method, new URL(request.url).pathname, body)
}
