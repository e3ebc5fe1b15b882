/**
 * Whether a request asks for a part of its answer only: such an answer may lack keys.
 *
 * @module
 */

import { batchEntries } from '../../exchange/batch-entries.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

/** @param parameter what the target calls `fields` (gap `fields.syntax`) */
export function picksKeys(
  operation: OperationId | undefined,
  { path, body }: { path: string; body?: string | Uint8Array },
  parameter: string,
): boolean {
  if (carries(path, parameter)) return true
  // A batch answers with one list, held against one schema: a single entry that is cut makes it lenient.
  return operation === 'batch' && batchEntries(body)?.some((entry) => carries(entry?.url, parameter)) === true
}

function carries(url: unknown, parameter: string): boolean {
  if (typeof url !== 'string') return false
  const at = url.indexOf('?')
  return at >= 0 && new URLSearchParams(url.slice(at + 1)).has(parameter)
}
