import { callHook } from '../target/call-hook.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import type { CleanupEntry } from './cleanup-registry.ts'

/** Placeholder for the table in the registry. */
const API_KEYS = 'API keys'

export function isKey({ table }: Pick<CleanupEntry, 'table'>): boolean {
  return table === API_KEYS
}

/** The key has been revoked already. */
export function forgetKey({ cleanup }: CleanUp, id: string | number): void {
  cleanup.markDeleted(API_KEYS, String(id))
}

/** An API key in the registry: the hook that revokes it replaces the delete. */
export function keyEntry({ target }: Wire, id: string | number): CleanupEntry {
  return {
    table: API_KEYS,
    id: String(id),
    async remove() {
      await callHook(target, 'revokeApiKey', { id })
      return { status: 204, reason: '' }
    },
  }
}
