/**
 * A server that writes conditions in a way of its own and ignores others, before its target file says so: the
 * run reports that alone, and not pagination, which it does right.
 */

import { expect, test } from 'vitest'
import { dropQuery, tamper } from '../proofs/faults/combinators/combinators.ts'
import { expectFindings, leftOpenServer } from './support/left-open.ts'

const sendRequest = leftOpenServer()

/** Checks that look at records of their own alone, by a condition. */
const narrowed = [
  'list.empty-shape',
  'list.paginated',
  'list.page',
  'list.per-page',
  'list.at-most-per-page',
  'list.full-pages',
  'list.total-items',
  'list.total-pages',
  'list.totals-agree',
  'list.total-follows-writes',
  'list.items',
  'list.items-as-viewed',
  'list.pagination-covers',
  'list.pagination-stable',
  'list.page-beyond-end',
  'list.without-condition',
  'list.filter-all-pages',
  'list.sort-orders',
  'list.sort-keeps-set',
  'list.sort-across-pages',
  'list.expand-relation',
  'list.expand-keeps-record',
]

test('conditions that are not understood are one failure, which says so, and what builds on them is blocked', async () => {
  const ids = ['list.shape', 'list.filter-narrows', ...narrowed]
  const { findings } = await sendRequest('ignores conditions', dropQuery('listRecords', 'filter'), ids)
  const blocked = Object.fromEntries(narrowed.map((id) => [id, 'blocked'] as const))
  expectFindings(findings, ids, { 'list.filter-narrows': 'fail', ...blocked })
  const reported = findings.find(({ requirement }) => requirement === 'list.filter-narrows')
  expect(reported?.message).toMatch(/^a list with title = "[^"]+" contains a record that does not match/)
}, 60_000)

test('a page size that is reported wrongly has nothing to do with conditions', async () => {
  const { findings } = await sendRequest(
    'tells no size of page',
    tamper('listRecords', (body) => ({ ...body, perPage: 0 })),
    ['list.shape', 'list.filter-narrows', 'list.per-page'],
  )
  expectFindings(findings, ['list.shape', 'list.filter-narrows', 'list.per-page'], {
    'list.per-page': 'fail',
  })
}, 60_000)
