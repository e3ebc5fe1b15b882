/** Requirements that several variations are near to, by what their checks do. */

/** Walk through a list page by page, with a page size that is asked for. */
export const walking = [
  'list.paginated',
  'list.page',
  'list.per-page',
  'list.full-pages',
  'list.total-pages',
  'list.totals-agree',
  'list.pagination-covers',
  'list.without-condition',
] as const

/** Ask for a page size, or read a list for which none was asked. */
export const sizing = [
  'prefix.v1',
  'list.shape',
  ...walking,
  'list.at-most-per-page',
  'list.total-items',
  'list.pagination-stable',
  'list.filter-all-pages',
  'list.sort-across-pages',
  'list.page-beyond-end',
] as const

/** Read all of a list, with or without pages. */
export const reading = [
  'list.filter-narrows',
  'list.items',
  'list.sort-orders',
  'list.sort-keeps-set',
  'list.expand-relation',
  'list.expand-keeps-record',
  'list.total-follows-writes',
  'create.listed',
  'delete.unlisted',
  'record.id-unique',
  'table.one-at-a-time',
] as const

/** Every exchange of the run. */
export const traffic = [
  'wire.json-bodies',
  'wire.json-errors',
  'wire.no-empty-success',
  'wire.json-utf8',
  'wire.json-media-type',
] as const

/** Expect a request to be rejected, after the same with one difference was accepted. */
export const rejecting = [
  'wire.json-errors',
  'table.missing-refused',
  'table.separate',
  'view.missing-refused',
  'update.missing-refused',
  'delete.removes',
  'list.page-beyond-end',
] as const
