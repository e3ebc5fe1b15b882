/** Ids of records and identifiers of tables: any string will do (2.1). */

import { createHash } from 'node:crypto'
import { another, on } from '../faults/combinators/combinators.ts'
import { withIdentifiers, withIds } from './combinators/other-ids.ts'
import { type VariationOptions, variation, variationsOf } from './variation.ts'

variationsOf('ids')

const near = [
  'record.id',
  'record.id-unique',
  'record.id-stable',
  'record.collection-name',
  'table.by-id-writes',
  'table.separate',
  'relation.single-id',
  'relation.leads-to-record',
  'view.missing-refused',
  'update.missing-refused',
  'delete.only-one',
  'table.one-at-a-time',
  'delete.final',
  'create.json',
  'update.applies',
  'batch.parent-with-children',
  'batch.mixes-methods',
  'batch.order',
  'batch.all-or-nothing',
] as const
const because = '2.1 row id'
const declares = { 'batch.parent-with-children': 'a client may not give the id of the parent' }
/** A record that is reset contains nothing of the run, and another record may have its id by then. */
const shown = 'such an id does not show whose record it is'
const reset = { 'field-types.keep-values': shown, 'update.changes-only-sent': shown }
const shortIds = { ...declares, ...reset }

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const short = (given: string) => hash(given).slice(0, 15)

variation(
  'ids are whole numbers in strings',
  { because, near, declares: shortIds },
  withIds({ make: String }),
)
variation(
  'ids are UUIDs, and no others are accepted',
  { because, near },
  withIds({
    make: (n) => `0b7c1a5e-93d2-4f60-8a4b-${String(n).padStart(12, '0')}`,
    given: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    short,
  }),
)
variation(
  'ids are 24 hexadecimal digits, and no others are accepted',
  { because, near },
  withIds({ make: (n) => hash(String(n)).slice(0, 24), given: /^[0-9a-f]{24}$/, short }),
)
variation(
  'ids are whole numbers in strings, and clients may choose others',
  { because, near, declares: reset },
  // Longer than codes, which must not be read as ids.
  withIds({ make: (n) => String(1_000_000_000 + n), given: /^1[0-9]{9}$/, short }),
)
variation(
  'ids are 19 digits, and clients may choose others',
  { because, near },
  withIds({ make: (n) => String(7_300_000_000_000_000_000n + BigInt(n)), given: /^[0-9]{19}$/, short }),
)
variation(
  'ids are 22 characters of base64url, and clients may choose others',
  { because, near },
  withIds({
    make: (n) => createHash('sha256').update(String(n)).digest('base64url').slice(0, 22),
    given: /^(?=.*[A-Z])[\w-]{22}$/,
    short,
  }),
)
variation(
  'ids are 16 hexadecimal digits after a prefix, and clients may choose others',
  { because, near },
  withIds({
    make: (n) => `rec_${hash(String(n)).slice(0, 16)}`,
    given: /^rec_[0-9a-f]{16}$/,
    short,
  }),
)
variation(
  'ids contain characters that a path must encode',
  { because, near, declares: shortIds },
  withIds({ make: (n) => `a/b+${n}==` }),
)
variation(
  'ids are URLs',
  { because, near, declares },
  withIds({ make: (n) => `https://example.com/records/${n}` }),
)
variation(
  'ids have 64 characters',
  { because, near },
  withIds({ make: (n) => hash(`long ${n}`), given: /^[0-9a-f]{64}$/, short }),
)
variation(
  'ids are in capitals',
  { because, near, declares },
  withIds({ make: (n) => `01J${hash(String(n)).slice(0, 23).toUpperCase()}` }),
)
variation(
  'ids of deleted records are given again',
  {
    because,
    near: [
      ...near,
      'delete.removes',
      'delete.unlisted',
      'table.by-id-writes',
      'batch.succeeds-together',
      'batch.url',
      'batch.delete-without-body',
      'auth-record.record-endpoints',
      'auth.sequences',
      'auth.deleted-signed-out',
      'impersonate.missing-record',
      'field-types.keep-values',
    ],
    declares: { ...declares, 'update.changes-only-sent': shown },
  },
  withIds({ make: String, reuses: true }),
)
variation(
  'ids have one character more than the last',
  { because, near, declares: shortIds },
  withIds({ make: (n) => `r${n.toString(36)}` }),
)

variation(
  'two tables have records with the same ids',
  { because, near: ['table.separate'] },
  // A record of the other table gets the id before it is requested there.
  on('viewRecord', async (request, next, { table = '', id = '' }, tools) => {
    const response = await next(request)
    const collections = `${tools.prefix}/collections`
    const plain = another(request, 'GET', `${collections}/conf_plain/records/${id}`)
    // Also by its identifier.
    if (response.ok || !table.startsWith('conf_related') || !(await tools.asSuperuser(plain)).ok)
      return response
    const body = { id, name: 'A record of the other table' }
    await tools.asSuperuser(another(request, 'POST', `${collections}/conf_related/records`, body))
    return next(request)
  }),
)

const tables = [
  'record.collection-id',
  'record.collection-id-distinct',
  'record.collection-name',
  'table.by-id',
  'table.by-id-writes',
  'auth.table-by-id',
  'batch.url',
] as const
/** The target file does not list identifiers that the records show. */
const options: VariationOptions = {
  because: '2.1 row collectionId',
  near: tables,
  target: (target) => ({
    ...target,
    tables: Object.fromEntries(
      Object.entries(target.tables).map(([role, { id: _reported, ...table }]) => [role, table]),
    ),
  }),
}
variation(
  'tables have UUIDs for identifiers',
  options,
  withIdentifiers((name) => `0b7c1a5e-93d2-4f60-8a4b-${hash(name).slice(0, 12)}`),
)
variation(
  'tables have numbers for identifiers',
  options,
  withIdentifiers((name) => String(Number.parseInt(hash(name).slice(0, 8), 16))),
)
