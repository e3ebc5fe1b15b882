import { callHook } from '../target/call-hook.ts'
import type { Session } from '../vocabulary/session.ts'
import type { LedgerEntry } from './ledger.ts'

/** What stands in the place of a table in the books. */
const API_KEYS = 'API keys'

export function isKey({ table }: Pick<LedgerEntry, 'table'>): boolean {
  return table === API_KEYS
}

/** An API key in the books: the hook that revokes it stands for the delete. */
export function keyEntry({ target }: Session, id: string): LedgerEntry {
  return {
    table: API_KEYS,
    id,
    async remove() {
      await callHook(target, 'revokeApiKey', { id })
      return { status: 204, reason: '' }
    },
  }
}
