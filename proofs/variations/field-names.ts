/** Fields of tables that have names which responses give to something else: a table may call a field as it likes (2.1). */

import type { Target } from '../../harness/vocabulary/target.ts'
import type { JsonValue } from '../faults/combinators/combinators.ts'
import { showsToo } from './combinators/responses.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('field names')

const near = [
  'relation.single-id',
  'create.persists',
  'update.applies',
  'delete.only-one',
  'list.items',
  'list.items-as-viewed',
  'list.expand-relation',
  'batch.url',
  'batch.across-tables',
  'auth.password-sign-in',
  'api-key.action-scope',
] as const

/** What a table may call a field, and a value of it. */
const fields: JsonValue = {
  // Of lists, sign-ins and batches.
  ...{ items: [{ id: 'x' }], records: [{ id: 'x' }], page: 3, perPage: 2, totalItems: 7, totalPages: 4 },
  ...{ record: { id: 'y', title: 'z' }, token: 'blue', mfaId: 'x', otpId: 'x', identity: 'a@example.com' },
  ...{ requests: [{ method: 'DELETE', url: '/a' }], method: 'DELETE', body: { id: 'x' } },
  // Of errors.
  ...{ success: false, ok: false, status: 404, error: 'none', errors: ['none'], message: 'not found' },
  data: { title: { code: 'invalid', message: 'no' } },
  // Of records and accounts elsewhere.
  ...{ _id: 7, uuid: 'f7c8', collection: 'autumn', deleted: true, deletedAt: '2024-01-01 00:00:00.000Z' },
  ...{ secret: 'rosebud', owner: 'x', user: { id: 'u', email: 'a@example.com', verified: true } },
}

/** The tables of a server with other names for its own fields. */
const withOtherNames = ({ tables, ...target }: Target): Target => {
  const { related: _, everything: __, ...others } = tables
  return {
    ...target,
    tables: {
      ...others,
      plain: { role: 'plain', name: 'conf_cascading', fields: { title: 'label' } },
      parent: { role: 'parent', name: 'conf_plain', fields: { name: 'title' } },
      child: { role: 'child', name: 'conf_cascading', fields: { name: 'label', parent: 'parent' } },
    },
    absentTables: ['related', 'everything'],
  }
}
variation(
  'the fields of tables have the names of keys in responses',
  { because: '2.1', near: [...near, 'record.table-fields', 'field-types.keep-values'] },
  showsToo('*', () => fields),
)
variation(
  'the fields of tables with other names have the names of keys in responses',
  { because: '2.1', near, alone: 'the tables are other ones', target: withOtherNames },
  showsToo('*', () => fields),
)
