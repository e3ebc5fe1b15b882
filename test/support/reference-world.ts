/**
 * Tables for tests of the record operations, and a reference that holds them.
 *
 * @module
 */

import { createReference, type Reference } from '../../reference/reference.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { openRules, stamps } from './open-rules.ts'
import { signIn } from './reference-call.ts'

const tables: TableDefinition[] = [
  {
    id: 'posts_id_000001',
    name: 'posts',
    ...openRules,
    fields: [
      { name: 'title', type: 'text', max: 10 },
      { name: 'count', type: 'number' },
      { name: 'secret', type: 'text', hidden: true },
      { name: 'code', type: 'text' },
      { name: 'pass', type: 'password' },
      { name: 'docs', type: 'file', maxSelect: 3 },
      ...stamps,
    ],
    indexes: ["CREATE UNIQUE INDEX idx_code ON posts (code) WHERE code != ''"],
  },
  {
    id: 'notes_id_000001',
    name: 'notes',
    ...openRules,
    fields: [
      { name: 'label', type: 'text' },
      { name: 'post', type: 'relation', collectionId: 'posts_id_000001', cascadeDelete: true },
      { name: 'needs', type: 'relation', collectionId: 'posts_id_000001', required: false },
      { name: 'closed', type: 'relation', collectionId: 'locked_id_00001' },
      ...stamps,
    ],
  },
  {
    id: 'bound_id_000001',
    name: 'bound',
    ...openRules,
    fields: [{ name: 'post', type: 'relation', collectionId: 'posts_id_000001', required: true }, ...stamps],
  },
  { id: 'locked_id_00001', name: 'locked', fields: [{ name: 'title', type: 'text' }, ...stamps] },
  {
    id: 'ruled_id_000001',
    name: 'ruled',
    listRule: 'public = true',
    viewRule: 'public = true',
    createRule: '@request.body.title != "no"',
    updateRule: 'public = true',
    deleteRule: 'public = true',
    fields: [{ name: 'title', type: 'text', max: 5 }, { name: 'public', type: 'bool' }, ...stamps],
  },
  {
    id: 'users_id_000001',
    name: 'users',
    type: 'auth',
    ...openRules,
    updateRule: 'id = @request.auth.id',
    fields: [{ name: 'name', type: 'text' }, ...stamps],
  },
]

const root = { email: 'root@example.com', password: 'rootpass123' }

/** A fresh reference; an unexpected exception fails the test that caused it. */
export async function makeWorld(): Promise<{ reference: Reference; superuser: string }> {
  const reference = createReference({
    tables,
    superusers: [root],
    passwordCost: 4,
    seed: 1,
    log: (error) => {
      throw error
    },
  })
  return { reference, superuser: await signIn(reference, '_superusers', root.email, root.password) }
}
