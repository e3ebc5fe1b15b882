/**
 * Servers whose answers have a form of their own where the document leaves it open: what the exchanges of a run look
 * like breaks no requirement of the document.
 */

import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import {
  all,
  itemsOf,
  type Json,
  on,
  tamper,
  tamperStatus,
  wordless,
} from '../faults/combinators/combinators.ts'
import type { Fault } from '../faults/fault.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { expectFindings, leftOpenServer } from './support/left-open.ts'

const requirements = loadRequirements()
const ask = leftOpenServer()

const record = [
  'record.id',
  'record.collection-id',
  'record.collection-name',
  'record.created',
  'record.updated',
]

/** A text that holds what was asked for, or nothing of it. */
const asked = (request: Request, name: string) => new URL(request.url).searchParams.get(name)

/**
 * In what a server differs; requirements of the document that hold for it all the same; and checks of the profile that
 * make the exchanges in which it differs.
 */
const different: [string, Fault['make'], string[], string[]?][] = [
  [
    'answers an update with an empty object',
    tamper('updateRecord', () => ({})),
    [...record, 'record.id-stable', 'record.updated-moves', 'update.applies', 'update.changes-only-sent'],
  ],
  [
    'answers a create with the id alone',
    tamper('createRecord', ({ id }) => ({ id })),
    [...record, 'record.id-stable', 'update.applies', 'delete.removes'],
  ],
  [
    'answers whatever it wrote with 200 and no body, and tells in Location where it is',
    all(
      wordless(['updateRecord', 'deleteRecord', 'batch'], 200),
      on('createRecord', async (request, next) => {
        const response = await next(request)
        if (!response.ok) return response
        const { id } = (await response.json()) as Json
        const location = `${new URL(request.url).pathname}/${id}`
        return new Response(null, { status: 201, headers: { location } })
      }),
    ),
    [
      ...record,
      'wire.json-bodies',
      'wire.json-errors',
      'wire.no-empty-success',
      'wire.json-media-type',
      'update.applies',
      'delete.removes',
      'batch.succeeds-together',
    ],
  ],
  [
    'answers a batch with the ids alone',
    tamper('batch', (answers) =>
      (answers as unknown as { status: number; body: Json | null }[]).map(({ status, body }) => ({
        status,
        body: body && { id: body.id },
      })),
    ),
    [...record, 'list.items', 'batch.succeeds-together'],
    ['batch.status'],
  ],
  [
    'shows all its relations under expand, in forms of its own',
    tamper('*', (body) => {
      let turn = 0
      const forms = [[], { parent: null }, { parent: { id: 'x', name: 'a parent' } }, 'none']
      const expanded = (each: Json) => ({ ...each, expand: forms[turn++ % forms.length] })
      if ('items' in body) return { ...body, items: itemsOf(body).map(expanded) }
      return 'collectionId' in body ? expanded(body) : body
    }),
    [...record, 'list.shape', 'list.items', 'view.record', 'list.total-items'],
  ],
  [
    'tells the page and the size that were asked for, whatever they are',
    tamper('listRecords', (body, request) => ({
      ...body,
      page: Number(asked(request, 'page') ?? body.page),
      perPage: Number(asked(request, 'perPage') ?? body.perPage),
    })),
    ['list.shape', 'list.page', 'list.per-page'],
    ['list.page-below-one', 'list.per-page-below-one'],
  ],
  [
    'refuses without a word',
    on('*', async (request, next) => {
      const response = await next(request)
      return response.ok ? response : new Response(null, { status: response.status })
    }),
    ['wire.json-bodies', 'wire.json-errors', 'view.missing-refused', 'table.missing-refused'],
  ],
  [
    'packs whatever it sends',
    on('*', async (request, next) => {
      const response = await next(request)
      const headers = new Headers(response.headers)
      headers.delete('content-length')
      if (response.status === 204) return response
      headers.set('content-encoding', 'gzip')
      return new Response(gzipSync(await response.text()), { status: response.status, headers })
    }),
    [...record, 'list.shape', 'wire.json-bodies', 'wire.json-errors', 'wire.json-utf8'],
  ],
  [
    'gives a refreshed token alone',
    tamper('authRefresh', ({ token }) => ({ token })),
    [...record, 'auth.response-token', 'auth-record.email', 'auth-record.verified'],
  ],
  [
    'refuses a wrong password with 401',
    tamperStatus('authWithPassword', 400, 401),
    ['auth.password-wrong', 'auth.mfa-id'],
  ],
]

it.each(different)('a server that %s', async (name, make, ids, more = []) => {
  const { findings, beside } = await ask(name, make, [...ids, ...more])
  expectFindings(
    findings.filter(({ requirement }) => ids.includes(requirement)),
    ids,
  )
  const ofDocument = beside.filter(({ requirement }) => requirements.get(requirement)?.basis !== 'profile')
  expect(ofDocument).toEqual([])
})
