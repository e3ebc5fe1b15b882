/**
 * How one request used the interface: its operation, its parameters, the fields that it wrote or could read.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { formPayloads, payloadKey } from '../../exchange/form-payload.ts'
import { jsonObject } from '../../exchange/json-object.ts'
import { isApiKey } from '../../exchange/secrets/secret-key.ts'
import type { FieldType } from '../../spec/field-types.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { nameInKey } from '../fields/body-keys.ts'
import { readQuery } from '../http/read-query.ts'
import type { Table } from '../vocabulary.ts'
import type { LoggedRequest } from './logged-request.ts'

/** One use of an operation. A batch is one, and each of its entries is another. */
export interface Use {
  operation: OperationId
  parameters: readonly string[]
  status: number | undefined
  /** Types of the fields that were written, or that the response may contain. */
  fieldTypes: ReadonlySet<FieldType>
  /** A key of the body modified an existing value: `tags+`. */
  modifies: boolean
  authTable: boolean
  apiKey: boolean
  /** The sign-in used, or required, a second factor. */
  secondFactor: boolean
}

export type FindTable = (nameOrId: string) => Table | undefined

type Body = Readonly<Record<string, unknown>>

const writes: readonly OperationId[] = ['createRecord', 'updateRecord', 'deleteRecord']
const takesFields: readonly OperationId[] = ['createRecord', 'updateRecord']

/** JSON, or a form: the official client sends batches and files as forms, with their JSON under one key. */
async function bodyOf({ requestHeaders, requestBody, requestText }: LoggedRequest): Promise<Body> {
  const type = requestHeaders.get('content-type') ?? ''
  if (!/form-(data|urlencoded)/i.test(type)) return jsonObject(requestBody) ?? {}
  const form = await new Response(requestText ?? '', { headers: { 'content-type': type } })
    .formData()
    .catch(() => new FormData())
  const plain = [...form.keys()].filter((key) => key !== payloadKey).map((key) => [key, true])
  return Object.assign({}, Object.fromEntries(plain), ...formPayloads(form))
}

function typesOf(operation: OperationId, table: Table | undefined, body: Body): Set<FieldType> {
  const fields = table?.fields ?? []
  if (!takesFields.includes(operation)) return new Set(fields.map(({ type }) => type))
  const named = new Set(Object.keys(body).map((key) => nameInKey(key)))
  // Every write changes the stamps.
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
    modifies: takesFields.includes(operation) && Object.keys(body).some((key) => nameInKey(key) !== key),
    authTable: table?.type === 'auth',
  }
}

/** @returns undefined for a request that matches no operation of the interface */
export async function usesOf(request: LoggedRequest, prefix: string, find: FindTable): Promise<Use[]> {
  const { operation, query, status, requestHeaders } = request
  if (operation === undefined) return []
  const body = await bodyOf(request)
  const common: Common = {
    status,
    apiKey: isApiKey(requestHeaders.get('authorization') ?? ''),
    secondFactor: 'mfaId' in body || 'mfaId' in query || 'mfaId' in (jsonObject(request.responseBody) ?? {}),
  }
  const own = useOf(operation, Object.keys(query), find(request.table ?? ''), body, common)
  const entries = operation === 'batch' ? batchEntries(body) : undefined
  const used = entries?.flatMap((entry): Use[] => {
    const match = matchEntry(entry, prefix)
    if (match === undefined || !writes.includes(match.operation.id)) return []
    const parameters = Object.keys(readQuery(String(entry?.url)))
    const table = find(match.params.table ?? '')
    return [useOf(match.operation.id, parameters, table, jsonObject(entry?.body) ?? {}, common)]
  })
  return [own, ...(used ?? [])]
}
