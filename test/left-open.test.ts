/**
 * Servers that answer in their own way where the document leaves it open: the requirements of the document hold for
 * them, so that no check of one may fail.
 */

import { describe, it } from 'vitest'
import { CONFIRMS } from '../faults/combinators/auth.ts'
import {
  all,
  forgive,
  itemsOf,
  type Json,
  json,
  on,
  rewriteQuery,
  tamper,
  tamperRecord,
  wordless,
} from '../faults/combinators/combinators.ts'
import { ALL_FIVE, refusal, refuses, shows, WRITES } from '../faults/combinators/field.ts'
import { nothing, refusesQuery } from '../faults/combinators/query.ts'
import type { Fault } from '../faults/fault.ts'
import { expectFindings, leftOpenServer } from './support/left-open.ts'

const ask = leftOpenServer()

/** Checks that start from what a create answered. */
const created = [
  'view.record',
  'record.created-fixed',
  'record.created-utc',
  'record.updated-moves',
  'table.by-id',
  'table.by-id-writes',
  'list.items',
  'list.total-follows-writes',
  'relation.single-id',
  'relation.leads-to-record',
  'wire.json-utf8',
  'create.persists',
  'create.json',
]

/** Of those, the ones whose record has a text of its own by which it is found. */
const searched = [
  'view.record',
  'record.created-fixed',
  'record.created-utc',
  'record.updated-moves',
  'table.by-id',
  'wire.json-utf8',
]

/** Checks that send values of every type. */
const forms = ['field-types.keep-values', 'update.changes-only-sent']

/** Checks that walk through lists. */
const lists = [
  'list.shape',
  'list.paginated',
  'list.page',
  'list.without-condition',
  'list.pagination-covers',
  'list.pagination-stable',
  'list.page-beyond-end',
  'list.filter-narrows',
  'list.filter-all-pages',
  'list.sort-orders',
  'list.sort-keeps-set',
  'list.sort-across-pages',
  'list.expand-relation',
]

/** Checks that read whole tables. */
const read = ['create.listed', 'delete.unlisted', 'update.only-one', 'record.id', 'record.id-unique']

const anyRecord = {
  name: 'another one',
  created: '2024-02-29 12:00:00.000Z',
  updated: '2024-02-29 12:00:00.000Z',
}

/** In what such a server differs, and the requirements that must hold for it all the same. */
const different: [string, Fault['make'], string[]][] = [
  [
    'writes the values of its fields in another form',
    all(
      shows('date', (value) => String(value).replace(' ', 'T'), ALL_FIVE),
      shows('geo', (value) => Object.values(value as object), ALL_FIVE),
      shows('number', String, ALL_FIVE),
      shows('json', (value) => JSON.stringify(value), ALL_FIVE),
    ),
    ['field-types.all', 'field-types.keep-values', 'update.changes-only-sent'],
  ],
  [
    'takes only forms of values that nobody can know',
    refuses(WRITES, (body) => 'date' in body || 'geo' in body),
    ['field-types.all'],
  ],
  [
    'answers a create with nothing but an id',
    tamper('createRecord', ({ id }) => ({ id })),
    [...created, ...forms],
  ],
  ['answers a create with nothing', wordless('createRecord', 204), searched],
  ['wraps what it created', tamper('createRecord', (record) => ({ ok: true, record })), created],
  [
    'tells where the created record is',
    on('createRecord', async (request, next) => {
      const response = await next(request)
      if (!response.ok) return response
      const { id } = (await response.json()) as Json
      const location = `${new URL(request.url).pathname}/${id}`
      return new Response('{}', { status: 201, headers: { 'content-type': 'application/json', location } })
    }),
    created,
  ],
  [
    'takes only some texts',
    refuses(WRITES, (body) => /[^ -~]/.test(String(body.title ?? body.text ?? '')), 422),
    ['create.persists', 'update.applies', ...forms],
  ],
  [
    'counts the versions of a record, and shows it',
    tamperRecord('*', (record) => ({ ...record, version: Date.parse(String(record.updated)) })),
    [...forms, 'list.expand-keeps-record'],
  ],
  [
    'writes `updated` in full seconds',
    shows('updated', (value) => String(value).replace(/\.\d{3}/, '.000'), ALL_FIVE),
    ['record.updated-after-created', 'record.updated-moves', 'record.updated-utc'],
  ],
  ['calls a second delete done', forgive('deleteRecord', 404, 204), ['delete.final']],
  [
    'has the same id in two tables',
    on('viewRecord', async (request, next, { table = '', id = '' }) => {
      const response = await next(request)
      if (table !== 'conf_related' || response.status !== 404) return response
      return json(200, { ...anyRecord, id, collectionId: 'conf_related_0001', collectionName: table })
    }),
    ['table.separate'],
  ],
  [
    'gives five records where nobody asked for a number',
    rewriteQuery('listRecords', (query) => {
      if (!query.has('perPage')) query.set('perPage', '5')
    }),
    [...lists, ...read],
  ],
  ['refuses large pages', refusesQuery('perPage', /^(2[1-9]|[3-9]\d|\d{3,})$/), [...lists, ...read]],
  [
    'refuses a page beyond the last one',
    on('listRecords', async (request, next) => {
      const response = await next(request)
      const body = (await response.clone().json()) as Json
      return response.ok && Number(body.page) > Math.max(1, Number(body.totalPages)) ? refusal(404) : response
    }),
    lists,
  ],
  [
    'counts pages from 0',
    all(
      rewriteQuery('listRecords', (query) => {
        const page = query.get('page')
        if (page !== null) query.set('page', String(Number(page) + 1))
      }),
      tamper('listRecords', (body) => ({ ...body, page: Number(body.page) - 1 })),
    ),
    [...lists, ...read],
  ],
  [
    'tells how long each answer took',
    (tools) => {
      let took = 0
      return tamper('listRecords', (body) => ({ ...body, took: took++ }))(tools)
    },
    ['list.pagination-stable', 'list.one-shape'],
  ],
  [
    'lists accounts to nobody',
    on('listRecords', (request, next, { table }) =>
      table === 'conf_members' && !request.headers.has('authorization')
        ? Promise.resolve(refusal(403))
        : next(request),
    ),
    ['list.one-shape'],
  ],
  [
    'brings related records along beside the items',
    tamper('listRecords', (body) => ({
      ...body,
      items: itemsOf(body).map(({ expand: _beside, ...item }) => item),
      ...(itemsOf(body).some(({ expand }) => expand) && {
        included: itemsOf(body).flatMap(({ expand }) => Object.values((expand ?? {}) as Json)),
      }),
    })),
    ['list.expand-relation', 'list.expand-keeps-record'],
  ],
  [
    'lists nothing where the caller may not list',
    forgive('listRecords', 403, 200, nothing),
    ['api-key.table-scope', 'api-key.action-scope', 'api-key.revoked', 'api-key.altered'],
  ],
  [
    'tells nobody whether a confirmation was one',
    forgive(CONFIRMS, 400, 204),
    [
      'verification.proof-required',
      'password-reset.proof-required',
      'email-change.proof-required',
      'flow.own-step-only',
    ],
  ],
  [
    'gives the keys of an object in another order each time',
    (tools) => {
      let turn = 0
      return tamper('listAuthMethods', (body) => {
        const entries = Object.entries(body)
        return Object.fromEntries(turn++ % 2 === 0 ? entries : entries.reverse())
      })(tools)
    },
    ['auth.table-by-id'],
  ],
]

describe('a server that', () => {
  it.each(different)(
    '%s',
    async (name, make, ids) => {
      const { findings } = await ask(name, make, ids)
      expectFindings(findings, ids)
    },
    60_000,
  )
})
