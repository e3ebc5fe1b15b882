import { batchEntries } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'

/** A sub-request of a batch, as far as it has the described form. */
export interface ReadSubRequest {
  method: string
  url: string
  body: Record<string, unknown>
}

/** Undefined if the request's body is unknown or cannot be parsed. */
export function readSubRequests(requestBody: unknown): ReadSubRequest[] | undefined {
  return batchEntries(requestBody)?.map((entry) => {
    const { method, url, body } = entry ?? {}
    return { method: String(method ?? ''), url: String(url ?? ''), body: isObject(body) ? body : {} }
  })
}
