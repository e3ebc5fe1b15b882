/**
 * The requirements that code checks and not a schema. The build includes their statements.
 *
 * @module
 */

export const claimsBeyondSchema = [
  'batch.entry',
  'date.normalises',
  'editor.keeps-markup',
  'email.format',
  'field.zero-values',
  'fields.picks',
  'file.stored-name',
  'filter.meaning',
  'geo.casts',
  'list.at-most-per-page',
  'list.default-page',
  'list.default-per-page',
  'list.no-match',
  'list.page',
  'list.page-past-end',
  'list.per-page-cap',
  'list.skip-total',
  'list.total-items',
  'list.total-pages',
  'number.casts',
  'password.never-shown',
  'record.collection-id',
  'record.collection-name',
  'record.table-fields',
  'record.updated-after-created',
  'relation.casts',
  'relation.single-id',
  'select.casts',
  'sort.order',
  'update.status',
  'url.format',
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
