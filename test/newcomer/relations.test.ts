/** Where only the address is known, and no table is related to itself: relations between two tables are found and checked. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { copyOf, startFronted } from '../support/fronted-reference.ts'
import { runConformance } from '../support/run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'relations-'))
beforeAll(() => void vi.stubEnv('CONFORMANCE_STATE_DIR', folder))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
const stamps = [
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
] as const

/** Posts, and comments that refer to one each. */
const tablesOf = (required: boolean): TableDefinition[] => [
  {
    name: 'posts',
    type: 'base',
    ...open,
    fields: [{ name: 'headline', type: 'text', required: true }, ...stamps],
  },
  {
    name: 'comments',
    type: 'base',
    ...open,
    fields: [
      { name: 'body', type: 'text', required: true },
      { name: 'post', type: 'relation', collectionId: 'posts', maxSelect: 1, required },
      ...stamps,
    ],
  },
]
const records = {
  posts: [{ id: 'aaaaaaaaaaaaaa1', headline: 'Hello there' }],
  comments: [{ id: 'bbbbbbbbbbbbbb1', body: 'Agreed with that', post: 'aaaaaaaaaaaaaa1' }],
}

interface Blog {
  records?: Record<string, Record<string, unknown>[]>
  /** The query of a list, as the reference takes it. */
  query?: (query: URLSearchParams) => void
  /** Whether a comment must refer to a post. @default true */
  required?: boolean
  /** Whether views of comments show no relation once a post was deleted. @default false */
  clears?: boolean
  /** Whether a post with comments cannot be deleted, and a create of a comment returns a receipt. @default false */
  keepsParents?: boolean
  /** Changes what a request does before the reference gets it. Undefined: nothing. */
  change?: (request: Request, body: Record<string, unknown>) => Record<string, unknown> | undefined
  /** Changes the items of a list. */
  items?: (items: Record<string, unknown>[], query: URLSearchParams) => void
}

async function blog({
  records: existing = records,
  required = true,
  clears = false,
  keepsParents = false,
  query: rewrite,
  change: mistake,
  items: change,
}: Blog = {}) {
  let isCleared = false
  const server = await startFronted(
    { tables: tablesOf(required), records: existing },
    async (request, next) => {
      const url = new URL(request.url)
      const asked = new URLSearchParams(url.search)
      const isList = request.method === 'GET' && url.pathname.endsWith('/records')
      if (isList) rewrite?.(url.searchParams)
      const isChild = url.pathname.includes('/comments/records/')
      if (isChild && mistake !== undefined && request.method !== 'GET') {
        const sent = (await request
          .clone()
          .json()
          .catch(() => ({}))) as Record<string, unknown>
        const body = mistake(request, sent)
        const view = { method: 'GET', headers: request.headers }
        if (body === undefined)
          return request.method === 'DELETE'
            ? new Response(null, { status: 204 })
            : next(new Request(url, view))
        if (request.method === 'PATCH')
          return next(new Request(url, { ...view, method: 'PATCH', body: JSON.stringify(body) }))
      }
      const post = /\/posts\/records\/(\w+)$/.exec(url.pathname)?.[1]
      if (keepsParents && request.method === 'DELETE' && post !== undefined) {
        const filter = new URLSearchParams({ filter: `post = "${post}"` })
        const comments = await next(
          new Request(new URL(`/api/v1/collections/comments/records?${filter}`, url)),
        )
        if (((await comments.json()) as { totalItems: number }).totalItems > 0)
          return Response.json({ message: 'The post has comments.' }, { status: 409 })
      }
      const response = await next(await copyOf(request, { url }))
      if (
        keepsParents &&
        request.method === 'POST' &&
        url.pathname.endsWith('/comments/records') &&
        response.ok
      )
        return Response.json({ status: 'accepted' }, { status: 202 })
      // Until another comment is created.
      if (request.method === 'DELETE' && url.pathname.includes('/posts/records/')) isCleared = clears
      if (request.method === 'POST') isCleared = false
      if (isCleared && isChild && request.method === 'GET' && response.ok)
        return Response.json({ ...((await response.json()) as object), post: '' })
      if (!isList || change === undefined || !response.ok) return response
      const list = (await response.json()) as { items: Record<string, unknown>[] }
      change(list.items, asked)
      return Response.json(list)
    },
  )
  onTestFinished(() => server.close())
  return server.url
}

const between = [
  'relation.single-id',
  'relation.leads-to-record',
  'list.expand-relation',
  'list.expand-keeps-record',
  'list.any-caller',
  'table.separate',
  'record.collection-id-distinct',
  'batch.parent-with-children',
  'batch.same-as-single',
]
const orders = ['list.sort-text', 'list.sort-keeps-set', 'list.sort-across-pages', 'list.one-shape']

async function run(baseUrl: string, only: readonly string[] = between) {
  const { findings, smoke, leftovers } = await runConformance({
    baseUrl,
    seed: 7,
    only: [...only],
    runs: inFull ? 1 : 0.1,
  })
  const statuses = Object.fromEntries(findings.map(({ requirement, status }) => [requirement, status]))
  return { statuses, notes: smoke.notes, findings, leftovers }
}

const all = (ids: readonly string[], status: string) => Object.fromEntries(ids.map((id) => [id, status]))
const mapping =
  'uses plain ← posts (title ← headline), parent ← posts (name ← headline), child ← comments (name ← body, parent ← post)'

describe('a relation between two tables', { timeout: 120_000 }, () => {
  it('is found by the ids that records hold, and checked', async () => {
    const { statuses, notes, leftovers } = await run(await blog())
    expect(notes).toContain(mapping)
    expect(statuses).toEqual(all(between, 'pass'))
    expect(leftovers).toEqual([])
  })

  it('is found in empty tables by what a rejection names', async () => {
    const { statuses, notes } = await run(await blog({ records: {} }), ['relation.single-id'])
    expect(notes).toContain(mapping)
    expect(statuses).toEqual({ 'relation.single-id': 'pass' })
  })

  it('is expanded in the form of the server', async () => {
    const url = await blog({
      query(query) {
        const include = query.get('include')
        query.delete('expand')
        if (include !== null) query.set('expand', include)
      },
    })
    const { statuses, notes } = await run(url, ['list.expand-relation', 'list.expand-keeps-record'])
    expect(notes).toContainEqual(
      expect.stringContaining('"list.expand":"include","expand.relation":"{field}"'),
    )
    expect(statuses).toEqual(all(['list.expand-relation', 'list.expand-keeps-record'], 'pass'))
  })

  it('is untestable for expansions where no usual form has an effect', async () => {
    const { statuses, notes } = await run(await blog({ query: (query) => query.delete('expand') }))
    expect(notes).toContainEqual(expect.stringMatching(/^no usual form of an expansion has an effect/))
    expect(statuses).toEqual({
      ...all(between, 'pass'),
      'list.expand-relation': 'untestable',
      'list.expand-keeps-record': 'untestable',
    })
  })

  const breaches: [string, string, NonNullable<Blog['items']>][] = [
    [
      'another record is expanded',
      'list.expand-relation',
      (items, query) => {
        const expanded = items.map((item) => item.expand)
        if (query.has('expand'))
          for (const [at, item] of items.entries()) item.expand = expanded[at - 1] ?? expanded[0]
      },
    ],
    [
      'a record without a relation shows the first one',
      'list.expand-relation',
      (items, query) => {
        const [first] = items.flatMap((item) => (item.expand === undefined ? [] : [item.expand]))
        if (query.has('expand')) for (const item of items) if (item.post === '') item.expand = first
      },
    ],
    [
      'the expansion replaces the id',
      'list.expand-keeps-record',
      (items, query) => {
        if (query.has('expand'))
          for (const item of items) item.post = (item.expand as { post?: unknown }).post
      },
    ],
  ]
  it.each(breaches)('fails where %s', async (_, requirement, items) => {
    const { statuses } = await run(await blog({ items, required: false }), [requirement])
    expect(statuses[requirement]).toBe('fail')
  })
})

describe('a record that refers to another one', { timeout: 120_000 }, () => {
  const ids = ['update.applies', 'update.changes-only-sent', 'delete.removes']
  const mistakes: [string, string, NonNullable<Blog['change']>][] = [
    [
      'an update has no effect',
      'update.applies',
      ({ method }, body) => (method === 'PATCH' ? undefined : body),
    ],
    ['an update moves it', 'update.changes-only-sent', (_, body) => ({ post: 'aaaaaaaaaaaaaa1', ...body })],
    [
      'a delete has no effect',
      'delete.removes',
      ({ method }, body) => (method === 'DELETE' ? undefined : body),
    ],
  ]
  it.each(mistakes)('fails where %s', async (_, requirement, change) => {
    const { statuses } = await run(await blog({ change }), [requirement])
    expect(statuses[requirement]).toBe('fail')
  })

  it('fails where a delete clears relations to other records', async () => {
    const { statuses } = await run(await blog({ clears: true }), ['delete.only-one'])
    expect(statuses).toEqual({ 'delete.only-one': 'fail' })
  })

  it('keeps its parent from being deleted only until it is found and deleted', async () => {
    const { statuses, leftovers } = await run(await blog({ keepsParents: true }), between)
    expect(statuses).toEqual(all(between, 'pass'))
    expect(leftovers).toEqual([])
  })

  it('is changed as it was sent', async () => {
    const { statuses } = await run(await blog(), ids)
    expect(statuses).toEqual(all(ids, 'pass'))
  })
})

describe('orders of a table with one text', { timeout: 120_000 }, () => {
  const breaches: [string, string, Blog][] = [
    [
      'an order loses a record',
      'list.sort-keeps-set',
      { items: (items, query) => void (query.has('sort') && items.length > 1 && items.pop()) },
    ],
    [
      'each page is ordered alone',
      'list.sort-across-pages',
      {
        query: (query) => query.delete('sort'),
        items(items, query) {
          const key = (item: Record<string, unknown>) => String(item.headline ?? item.body)
          const direction = query.get('sort')?.startsWith('-') ? -1 : 1
          if (query.has('sort')) items.sort((one, other) => (key(one) < key(other) ? -direction : direction))
        },
      },
    ],
  ]
  it.each(breaches)('fails where %s', async (_, requirement, server) => {
    const { statuses } = await run(await blog(server), [requirement])
    expect(statuses[requirement]).toBe('fail')
  })

  it('are checked in the whole table', async () => {
    const { statuses } = await run(await blog(), orders)
    expect(statuses).toEqual(all(orders, 'pass'))
  })
})
