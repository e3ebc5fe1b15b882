/**
 * The requirements that are checked by code, not by a schema. The build includes their statements.
 *
 * @module
 */

import { formRequirements } from '../spec/field-types.ts'

export const claimsBeyondSchema = [
  ...formRequirements,
  'batch.entry',
  'fields.picks',
  'filter.meaning',
  'list.at-most-per-page',
  'list.default-page',
  'list.default-per-page',
  'list.full-pages',
  'list.no-match',
  'list.page',
  'list.page-past-end',
  'list.pagination-covers',
  'list.per-page-cap',
  'list.skip-total',
  'list.total-items',
  'list.total-pages',
  'record.collection-id',
  'record.collection-name',
  'record.updated-after-created',
  'relation.single-id',
  'sort.order',
  'update.status',
  'view.record',
  'wire.documented-status',
  'wire.json-bodies',
  'wire.json-errors',
  'wire.json-media-type',
  'wire.json-utf8',
  'wire.media-type',
  'wire.no-5xx',
  'wire.no-empty-success',
  'wire.no-secrets',
  'wire.no-server-error',
  'wire.schema',
] as const

export type ClaimBeyondSchema = (typeof claimsBeyondSchema)[number]
