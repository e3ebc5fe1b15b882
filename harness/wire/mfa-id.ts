import { objectsOf } from '../../exchange/json-object.ts'
import type { ApiResponse } from '../vocabulary/api.ts'

/** The document gives no type (section 4.2). It is sent back as it came. */
export type MfaId = string | number

/** The `mfaId` of a response, wherever in it. */
export function mfaIdIn({ body }: Pick<ApiResponse, 'body'>): MfaId | undefined {
  return objectsOf(body)
    .map(({ mfaId }) => mfaId)
    .find((mfaId): mfaId is MfaId => typeof mfaId === 'number' || (typeof mfaId === 'string' && mfaId !== ''))
}
