/** Where only the address is known, and no table is related to itself: relations between two tables are found and checked. */

import { describe, expect, it, onTestFinished } from 'vitest'
import { inSample } from '../../scripts/support/in-full.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { type Blog, blog, runBy } from '../support/blog.ts'
import { type Front, startFronted } from '../support/fronted-reference.ts'
import { openRules, stamps } from '../support/open-rules.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'

ownStateFolder()

const between = [
  'relation.single-id',
  'relation.leads-to-record',
  'list.expand-relation',
  'list.expand-keeps-record',
  'list.any-caller',
  'table.separate',
  'record.collection-id-distinct',
  'batch.parent-with-children',
  'batch.across-tables',
  'batch.same-as-single',
]
const orders = ['list.sort-text', 'list.sort-keeps-set', 'list.sort-across-pages', 'list.one-shape']

const all = (ids: readonly string[], status: string) => Object.fromEntries(ids.map((id) => [id, status]))
const mapping =
  'uses plain ← posts (title ← headline), parent ← posts (name ← headline), child ← comments (name ← body, parent ← post)'

describe('a relation between two tables', { timeout: 120_000 }, () => {
  it('is found by the ids that records hold, and checked', async () => {
    const { statuses, notes, leftovers } = await runBy(await blog(), between)
    expect(notes).toContain(mapping)
    expect(statuses).toEqual(all(between, 'pass'))
    expect(leftovers).toEqual([])
  })

  it('is found in empty tables by what a rejection names', async () => {
    const { statuses, notes } = await runBy(await blog({ records: {} }), ['relation.single-id'])
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
    const { statuses, notes } = await runBy(url, ['list.expand-relation', 'list.expand-keeps-record'])
    expect(notes).toContainEqual(
      expect.stringContaining('"list.expand":"include","expand.relation":"{field}"'),
    )
    expect(statuses).toEqual(all(['list.expand-relation', 'list.expand-keeps-record'], 'pass'))
  })

  it('is untestable for expansions where no usual form has an effect', async () => {
    const { statuses, notes } = await runBy(await blog({ query: (query) => query.delete('expand') }), between)
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
  it.each(breaches.filter(inSample(6)))('fails where %s', async (_, requirement, items) => {
    const { statuses } = await runBy(await blog({ items, required: false }), [requirement])
    expect(statuses[requirement]).toBe('fail')
  })
})

describe('a record that refers to another one', { timeout: 120_000 }, () => {
  const ids = ['update.applies', 'update.changes-only-sent', 'delete.removes']
  const isOfComment = ({ method, url }: Request, by: string) =>
    method === by && url.includes('/comments/records/')
  const mistakes: [string, string, Front][] = [
    [
      'an update has no effect',
      'update.applies',
      (request, next) => {
        const { url, headers } = request
        return next(isOfComment(request, 'PATCH') ? new Request(url, { headers }) : request)
      },
    ],
    [
      'an update moves it',
      'update.changes-only-sent',
      async (request, next) => {
        if (!isOfComment(request, 'PATCH')) return next(request)
        const { url, method, headers } = request
        const sent = (await request.json()) as Record<string, unknown>
        const body = JSON.stringify({ post: 'aaaaaaaaaaaaaa1', ...sent })
        return next(new Request(url, { method, headers, body }))
      },
    ],
    [
      'a delete has no effect',
      'delete.removes',
      async (request, next) =>
        isOfComment(request, 'DELETE') ? new Response(null, { status: 204 }) : next(request),
    ],
  ]
  it.each(mistakes.filter(inSample(4)))('fails where %s', async (_, requirement, front) => {
    const { statuses } = await runBy(await blog({ front }), [requirement])
    expect(statuses[requirement]).toBe('fail')
  })

  it('fails where a delete clears relations to other records', async () => {
    let isCleared = false
    const front: Front = async (request, next) => {
      const { method, url } = request
      const response = await next(request)
      // Until another comment is created.
      if (method === 'DELETE' && url.includes('/posts/records/')) isCleared = true
      if (method === 'POST') isCleared = false
      return isCleared && isOfComment(request, 'GET') && response.ok
        ? Response.json({ ...((await response.json()) as object), post: '' })
        : response
    }
    const { statuses } = await runBy(await blog({ front }), ['delete.only-one'])
    expect(statuses).toEqual({ 'delete.only-one': 'fail' })
  })

  it('is changed as it was sent', async () => {
    const { statuses } = await runBy(await blog(), ids)
    expect(statuses).toEqual(all(ids, 'pass'))
  })
})

describe('orders of a table with one text', { timeout: 120_000 }, () => {
  const breaches: [string, string, Blog][] = [
    [
      'equal texts come in another order on every other page',
      'list.pagination-covers',
      {
        query(query) {
          const isOdd = Number(query.get('page') ?? 1) % 2 === 1
          const sort = query.get('sort')
          if (sort !== null) query.set('sort', `${sort},${isOdd ? '' : '-'}id`)
        },
      },
    ],
    [
      'an expansion ignores the order',
      'list.expand-keeps-record',
      { query: (query) => void (query.has('expand') && query.delete('sort')) },
    ],
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
  it.each(breaches.filter(inSample(6)))('fails where %s', async (_, requirement, server) => {
    const { statuses } = await runBy(await blog(server), [requirement])
    expect(statuses[requirement]).toBe('fail')
  })

  it('are checked in the whole table', async () => {
    const { statuses } = await runBy(await blog(), orders)
    expect(statuses).toEqual(all(orders, 'pass'))
  })
})

describe('two tables that only accounts may write to, where another one is open', {
  timeout: 120_000,
}, () => {
  const byAccounts = {
    ...openRules,
    createRule: '@request.auth.id != ""',
    updateRule: '@request.auth.id != ""',
    deleteRule: '@request.auth.id != ""',
  }
  const own = 'id = @request.auth.id'
  const tables: TableDefinition[] = [
    { name: 'notes', type: 'base', ...openRules, fields: [{ name: 'title', type: 'text' }, ...stamps] },
    { name: 'posts', type: 'base', ...byAccounts, fields: [{ name: 'title', type: 'text' }, ...stamps] },
    {
      name: 'comments',
      type: 'base',
      ...byAccounts,
      fields: [
        { name: 'text', type: 'text' },
        { name: 'post', type: 'relation', collectionId: 'posts', maxSelect: 1, cascadeDelete: true },
        ...stamps,
      ],
    },
    { name: 'users', type: 'auth', ...openRules, updateRule: own, deleteRule: own, fields: [...stamps] },
  ]
  const records = {
    posts: [{ id: 'aaaaaaaaaaaaaa1', title: 'Hello there' }],
    comments: [{ id: 'bbbbbbbbbbbbbb1', text: 'Agreed with that', post: 'aaaaaaaaaaaaaa1' }],
  }

  it('are found, and an account writes to them', async () => {
    const server = await startFronted({ tables, records, passwordCost: 4 }, (request, next) => next(request))
    onTestFinished(() => server.close())
    const ids = [
      'relation.single-id',
      'list.expand-relation',
      'batch.across-tables',
      'batch.succeeds-together',
    ]
    const { statuses, notes, leftovers } = await runBy(server.url, ids)
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^uses .*parent ← posts \(name ← title\), child ← comments \(name ← text, parent ← post\)$/,
      ),
    )
    expect(notes).toContain(
      'guests may not write to posts and comments: their requests to these are sent as an account that the run signs up in users',
    )
    expect(statuses).toEqual(all(ids, 'pass'))
    expect(leftovers).toEqual([])
  })
})
