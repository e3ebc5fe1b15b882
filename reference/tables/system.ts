/**
 * The tables that every server of the profile has (contract-auth 4, 5, 6.10, 10.7). All but the superusers table
 * contain rows that belong to one auth record, and only that record may view them.
 *
 * @module
 */

import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'

const ownedByCaller =
  "@request.auth.id != '' && recordRef = @request.auth.id && collectionRef = @request.auth.collectionId"

const stamps: FieldDefinition[] = [
  { name: 'created', type: 'autodate', system: true, onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', system: true, onCreate: true, onUpdate: true },
]

export const superusers: TableDefinition = {
  id: 'pbc_3142635823',
  name: '_superusers',
  type: 'auth',
  system: true,
  fields: stamps,
  authToken: { duration: 86_400 },
}

export const externalAuths: TableDefinition = {
  ...ownedTable(
    'pbc_2281828961',
    '_externalAuths',
    [requiredText('provider'), requiredText('providerId')],
    [
      'CREATE UNIQUE INDEX `idx_externalAuths_record_provider` ON `_externalAuths` (collectionRef, recordRef, provider)',
      'CREATE UNIQUE INDEX `idx_externalAuths_collection_provider` ON `_externalAuths` (collectionRef, provider, providerId)',
    ],
  ),
  deleteRule: ownedByCaller,
}

export const mfas: TableDefinition = ownedTable(
  'pbc_2279338944',
  '_mfas',
  [requiredText('method')],
  ['CREATE INDEX `idx_mfas_collectionRef_recordRef` ON `_mfas` (collectionRef, recordRef)'],
)

export const otps: TableDefinition = ownedTable(
  'pbc_1638494021',
  '_otps',
  [
    { name: 'password', type: 'password', system: true, hidden: true, required: true, cost: 8 },
    { name: 'sentTo', type: 'text', system: true, hidden: true },
  ],
  ['CREATE INDEX `idx_otps_collectionRef_recordRef` ON `_otps` (collectionRef, recordRef)'],
)

export const authOrigins: TableDefinition = {
  ...ownedTable(
    'pbc_4275539003',
    '_authOrigins',
    [requiredText('fingerprint')],
    [
      'CREATE UNIQUE INDEX `idx_authOrigins_unique_pairs` ON `_authOrigins` (collectionRef, recordRef, fingerprint)',
    ],
  ),
  deleteRule: ownedByCaller,
}

export const systemTables: readonly TableDefinition[] = [superusers, externalAuths, mfas, otps, authOrigins]

function ownedTable(id: string, name: string, fields: FieldDefinition[], indexes: string[]): TableDefinition {
  return {
    id,
    name,
    type: 'base',
    system: true,
    listRule: ownedByCaller,
    viewRule: ownedByCaller,
    fields: [requiredText('collectionRef'), requiredText('recordRef'), ...fields, ...stamps],
    indexes,
  }
}

function requiredText(name: string): FieldDefinition {
  return { name, type: 'text', system: true, required: true }
}
