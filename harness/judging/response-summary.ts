import type { ApiResponse } from '../vocabulary/api.ts'

/** The status and the beginning of a response, for a message: as it was recorded, without the secrets in it. */
export function responseSummary(
  { status, exchange }: Pick<ApiResponse, 'status' | 'exchange'>,
  most = 200,
): string {
  return `${status} ${(exchange.response?.body ?? '').slice(0, most)}`
}
