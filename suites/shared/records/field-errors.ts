/**
 * What an error response says about each field.
 *
 * @module
 */

import type { ApiResponse } from '../../../harness/vocabulary/api.ts'

/** `data.<field>.code` of error responses; empty if there is none. */
export function fieldErrorCodes(response: ApiResponse): Record<string, unknown> {
  return ofFieldErrors(response, 'code')
}

/** `data.<field>.params` of error responses; empty if there is none. */
export function fieldErrorParams(response: ApiResponse): Record<string, unknown> {
  return ofFieldErrors(response, 'params')
}

function ofFieldErrors(response: ApiResponse, key: 'code' | 'params'): Record<string, unknown> {
  const { data } = (response.body ?? {}) as { data?: Record<string, { code?: unknown; params?: unknown }> }
  return Object.fromEntries(Object.entries(data ?? {}).map(([field, error]) => [field, error?.[key]]))
}
