/**
 * What one request used of the interface: its operation, its parameters, the fields that it wrote or could read.
 *
 * @module
 */

import type { FieldType } from '../../spec/table-definition.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { readQuery } from '../http/query-string.ts'
import type { Table } from '../vocabulary.ts'
import type { LoggedRequest } from './logged-request.ts'
import { readLine } from './operation-of.ts'

/** One use of an operation. A batch is one, and each of its entries another. */
export interface Use {
  operation: OperationId
  parameters: readonly string[]
  status: number | undefined
  /** Of fields that were written, or that the answer may hold. */
  fieldTypes: ReadonlySet<FieldType>
  /** A key of the body asked for a change of what is there: `tags+`. */
  modifies: boolean
  authTable: boolean
  apiKey: boolean
  /** The sign-in took, or asked for, a second factor. */
  secondFactor: boolean
}

export type FindTable = (nameOrId: string) => Table | undefined

type Body = Readonly<Record<string, unknown>>

const writes: readonly OperationId[] = ['createRecord', 'updateRecord', 'deleteRecord']
const takesFields: readonly OperationId[] = ['createRecord', 'updateRecord']
const modifier = /^\+|[+-]$/g

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectIn(text: unknown): Body {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : text
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** JSON, or a form: the official client sends batches and files as forms, with their JSON under one key. */
async function bodyOf({ requestHeaders, requestBody, requestText }: LoggedRequest): Promise<Body> {
  const type = requestHeaders.get('content-type') ?? ''
  if (!/form-(data|urlencoded)/i.test(type)) return objectIn(requestBody)
  const form = await new Response(requestText ?? '', { headers: { 'content-type': type } })
    .formData()
    .catch(() => new FormData())
  const plain = [...form.keys()].filter((key) => key !== '@jsonPayload').map((key) => [key, true])
  return Object.assign({}, Object.fromEntries(plain), ...form.getAll('@jsonPayload').map(objectIn))
}

function typesOf(operation: OperationId, table: Table | undefined, body: Body): Set<FieldType> {
  const fields = table?.fields ?? []
  if (!takesFields.includes(operation)) return new Set(fields.map(({ type }) => type))
  const named = new Set(Object.keys(body).map((key) => key.replace(modifier, '')))
  // Every write moves the stamps.
  const used = fields.filter(({ name, type }) => named.has(name) || type === 'autodate')
  return new Set(used.map(({ type }) => type))
}

type Common = Pick<Use, 'status' | 'apiKey' | 'secondFactor'>

function useOf(
  operation: OperationId,
  parameters: readonly string[],
  table: Table | undefined,
  body: Body,
  common: Common,
): Use {
  return {
    ...common,
    operation,
    parameters,
    fieldTypes: typesOf(operation, table, body),
    modifies: takesFields.includes(operation) && Object.keys(body).some((key) => /^\+|[+-]$/.test(key)),
    authTable: table?.type === 'auth',
  }
}

/** @returns nothing for a request that the interface does not know */
export async function usesOf(request: LoggedRequest, prefix: string, find: FindTable): Promise<Use[]> {
  const { operation, query, status, requestHeaders } = request
  if (operation === undefined) return []
  const body = await bodyOf(request)
  const common: Common = {
    status,
    apiKey: /^(?:Bearer +)?rak_/i.test(requestHeaders.get('authorization') ?? ''),
    secondFactor: 'mfaId' in body || 'mfaId' in query || 'mfaId' in objectIn(request.responseBody),
  }
  const own = useOf(operation, Object.keys(query), find(request.table ?? ''), body, common)
  if (operation !== 'batch' || !Array.isArray(body.requests)) return [own]
  const entries = body.requests.filter(isObject).flatMap((entry): Use[] => {
    const [path = ''] = String(entry.url).split('?', 1)
    const line = readLine(entry.method === 'PUT' ? 'POST' : String(entry.method), path, prefix)
    if (line.operation === undefined || !writes.includes(line.operation)) return []
    const parameters = Object.keys(readQuery(String(entry.url)))
    return [useOf(line.operation, parameters, find(line.table ?? ''), objectIn(entry.body), common)]
  })
  return [own, ...entries]
}
