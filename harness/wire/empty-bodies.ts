/**
 * Operations whose payload the document does not show (4.2), and that need none: a refresh and an impersonation. They are
 * sent without a body, until a server shows that it wants an object there.
 *
 * @module
 */

import { isSuccess } from '../../spec/status-range.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { ApiResponse } from '../vocabulary/api.ts'

const operations: readonly OperationId[] = ['authRefresh', 'impersonate']

/** Statuses of a request whose body is missing. */
const aboutBody = [400, 411, 415]

/** What a run has learned about the bodies of its target. */
export class EmptyBodies {
  readonly #form = new Map<OperationId, 'none' | 'object'>()

  /** Whether the operation is to be sent with `{}` from now on. */
  wants(operation: OperationId): boolean {
    return this.#form.get(operation) === 'object'
  }

  /** Sends a request without a body, and once more with `{}` if that may be what was missing. */
  async try(operation: OperationId, send: (withBody: boolean) => Promise<ApiResponse>): Promise<ApiResponse> {
    const bare = await send(false)
    if (!operations.includes(operation) || this.#form.has(operation)) return bare
    if (bare.ok) this.#form.set(operation, 'none')
    if (!aboutBody.includes(bare.status)) return bare
    const full = await send(true)
    // A 400 may be about anything, the token for example. The others are about the body alone.
    const isTaken = bare.status === 400 ? isSuccess(full.status) : !aboutBody.includes(full.status)
    if (!isTaken) return bare
    this.#form.set(operation, 'object')
    return full
  }
}
