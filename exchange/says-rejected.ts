import { commonFields } from '../spec/common-fields.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { isObject, jsonObject } from './json-object.ts'

/**
 * Whether the body of a 2xx response says that its request was rejected: `ok` or `success` is false, or there is an error.
 * Of a batch, also whether each entry of the response has a status of 400 or above.
 * The document shows no status, neither of a success nor of an error (4.1, 7). docs/decisions/029.
 *
 * @param operation undefined if the request matches none
 * @param sent body of the request
 */
export function saysRejected(operation: OperationId | undefined, sent: unknown, body: unknown): boolean {
  if (operation === 'batch' && failsThroughout(body)) return true
  if (!isObject(body)) return false
  // What shows records is judged by what it shows, even if an error is next to it.
  if (operation === 'listRecords' && Array.isArray(body.items)) return false
  if (operation === 'viewRecord' && !isSent(sent) && isGivenId(body.id)) return false
  const isFalse = body.ok === false || body.success === false
  const isTrue = body.ok === true || body.success === true
  // Most responses end here: only others are compared with what was sent, which may be long.
  if (!isFalse && (isTrue || !(isGiven(body.error) || isGiven(body.errors)))) return false
  const fields = [...commonFields, ...Object.keys(jsonObject(sent) ?? {})].filter((field) => field !== 'id')
  const isRecord = (value: unknown) => isRecordWith(fields, value)
  // A table may have such a field, for jobs that failed. An error next to the record is a warning.
  return !isRecord(body) && (isFalse || !Object.values(body).some(isRecord))
}

/** Whether a batch response, or the only list in it, has entries, and the status of each is that of an error. */
function failsThroughout(body: unknown): boolean {
  const lists = isObject(body) ? Object.values(body).filter(Array.isArray) : [body]
  const [entries] = lists
  if (lists.length !== 1 || !Array.isArray(entries) || entries.length === 0) return false
  return entries.every((entry) => isObject(entry) && Number(entry.status ?? entry.statusCode) >= 400)
}

function isSent(body: unknown): boolean {
  return body !== undefined && body !== null && body !== ''
}

/** Whether a value has an id, and one of the fields. */
function isRecordWith(fields: readonly string[], value: unknown): boolean {
  if (!isObject(value) || !isGivenId(value.id)) return false
  return fields.some((field) => field in value)
}

function isGivenId(id: unknown): boolean {
  return id !== undefined && id !== null
}

/** Whether an error property is not empty. */
function isGiven(error: unknown): boolean {
  if (typeof error === 'string') return error !== ''
  return typeof error === 'object' && error !== null && Object.keys(error).length > 0
}
