import { fieldOfKey } from '../fields/body-keys.ts'
import type { Table } from '../vocabulary.ts'

/** Keys of a body that have a meaning although no field has their name. */
const knownKeys = new Set([
  'id',
  'passwordConfirm',
  'oldPassword',
  'collectionId',
  'collectionName',
  'expand',
])
const mostKeys = 5

/** The first keys of a body that match no field, with or without a modifier. */
export function keysWithoutField(table: Table, body: object): string[] {
  const keys: string[] = []
  for (const key of Object.keys(body)) {
    // JSON that was sent as a form is one key, and has a reason of its own.
    if (table.bodyKeys.has(key) || knownKeys.has(key) || key.startsWith('{')) continue
    if (fieldOfKey(table, key) === undefined) keys.push(key)
    if (keys.length === mostKeys) break
  }
  return keys
}
