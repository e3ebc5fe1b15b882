/**
 * A server that writes conditions in a way of its own and ignores others, before its target file says so: the
 * run reports that alone, and not pagination, which it does right.
 */

import { expect, test } from 'vitest'
import { dropQuery, tamper } from '../proofs/faults/combinators/combinators.ts'
import { listedAlone } from '../proofs/variations/near.ts'
import { expectFindings, leftOpenServer } from './support/left-open.ts'

const sendRequest = leftOpenServer()

const narrowed = [...listedAlone, 'list.items-as-viewed']

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
