/** Writes where only the address is known: sequences in one table, batches of two, and the clean-up. */

import { describe, expect, it } from 'vitest'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { blog, runBy } from '../support/blog.ts'
import type { Front } from '../support/fronted-reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'

ownStateFolder()

type Next = Parameters<Front>[1]
type Write = { method: string; url: string; body?: Record<string, unknown> }

const isOfComments = ({ url }: Pick<Write, 'url'>) => url.includes('/comments/')
const json = { 'content-type': 'application/json' }

/** The writes of a request: its own, or those of the batch that it is. */
async function writesIn(request: Request): Promise<Write[]> {
  const { method, url } = request
  const text = await request.clone().text()
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  return url.endsWith('/batch') ? (body.requests as Write[]) : [{ method, url, body }]
}

/** The same request with other writes. */
function withWrites({ method, url, headers }: Request, writes: readonly Write[]): Request {
  const body = url.endsWith('/batch') ? { requests: writes } : writes[0]?.body
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}

/** An update of a comment changes no relation. */
function withoutMove(write: Write): Write {
  const { post: _, ...body } = write.body ?? {}
  return write.method === 'PATCH' && isOfComments(write) ? { ...write, body } : write
}

async function sendEach(writes: readonly Write[], next: Next): Promise<void> {
  for (const { method, url, body } of writes)
    await next(
      new Request(new URL(url, 'http://127.0.0.1'), {
        method,
        headers: json,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
}

describe('a batch of two tables', { timeout: 120_000 }, () => {
  const mistakes: [string, string, Front][] = [
    [
      'is undone in one table only',
      'batch.across-tables',
      async (request, next) => {
        const writes = request.url.endsWith('/batch') ? await writesIn(request) : []
        const response = await next(request)
        if (!response.ok) await sendEach(writes.filter(isOfComments), next)
        return response
      },
    ],
    [
      'drops the relation of an update',
      'batch.same-as-single',
      async (request, next) =>
        next(
          request.url.endsWith('/batch')
            ? withWrites(request, (await writesIn(request)).map(withoutMove))
            : request,
        ),
    ],
    [
      'is done table by table',
      'batch.parent-with-children',
      async (request, next) => {
        const writes = await writesIn(request)
        const [first] = writes
        if (first === undefined || !request.url.endsWith('/batch')) return next(request)
        const isFirst = (write: Write) => isOfComments(write) === isOfComments(first)
        const [early, late] = [writes.filter(isFirst), writes.filter((write) => !isFirst(write))]
        return next(withWrites(request, [...early, ...late]))
      },
    ],
    [
      'restores in a second update what the first one changed',
      'batch.order',
      async (request, next) => {
        const writes = request.url.endsWith('/batch') ? await writesIn(request) : []
        const twice = writes.filter(({ method, url }, at) => {
          return method === 'PATCH' && writes.findIndex((each) => each.url === url) !== at
        })
        const before = new Map<Write, object>()
        for (const write of twice) {
          const view = await next(new Request(new URL(write.url, request.url)))
          const { text, post } = (await view.json()) as Record<string, unknown>
          before.set(write, { text, post })
        }
        const merged = writes.map((write) => ({ ...write, body: { ...before.get(write), ...write.body } }))
        return next(twice.length > 0 ? withWrites(request, merged) : request)
      },
    ],
  ]
  it.each(mistakes.filter(inSample(4)))('fails where it %s', async (_, requirement, front) => {
    const { statuses } = await runBy(await blog({ front }), [requirement], 0.2)
    expect(statuses[requirement]).toBe('fail')
  })

  const decisions: [string, Front][] = [
    [
      'updates no comment',
      async (request, next) => {
        const isRejected = (await writesIn(request)).some(
          (write) => isOfComments(write) && write.method === 'PATCH',
        )
        return isRejected ? Response.json({ message: 'A comment stays.' }, { status: 403 }) : next(request)
      },
    ],
    [
      'never changes a relation',
      async (request, next) =>
        next(
          request.method === 'PATCH' || request.url.endsWith('/batch')
            ? withWrites(request, (await writesIn(request)).map(withoutMove))
            : request,
        ),
    ],
  ]
  it.each(decisions.filter(inSample(4)))('passes where a server %s', async (_, front) => {
    const { statuses } = await runBy(await blog({ front }), ['batch.across-tables', 'batch.same-as-single'])
    expect(statuses).toEqual({ 'batch.across-tables': 'pass', 'batch.same-as-single': 'pass' })
  })

  it('passes where a batch does what the document says', async () => {
    const ids = ['batch.order', 'batch.parent-with-children']
    const { statuses } = await runBy(await blog(), ids)
    expect(statuses).toEqual(Object.fromEntries(ids.map((id) => [id, 'pass'])))
  })
})

describe('a sequence of writes to a table with one text', { timeout: 120_000 }, () => {
  it('passes where each accepted write has its effect', async () => {
    const { statuses, leftovers } = await runBy(await blog(), ['record.sequences'])
    expect(statuses).toEqual({ 'record.sequences': 'pass' })
    expect(leftovers).toEqual([])
  })

  it('fails where a batch loses updates after the first one', async () => {
    const front: Front = async (request, next) => {
      if (!request.url.endsWith('/batch')) return next(request)
      const seen = new Set<string>()
      const writes = (await writesIn(request)).filter(({ method, url }) => {
        const isAgain = method === 'PATCH' && seen.has(url)
        seen.add(url)
        return !isAgain
      })
      return next(withWrites(request, writes))
    }
    const { statuses } = await runBy(await blog({ front }), ['record.sequences'])
    expect(statuses).toEqual({ 'record.sequences': 'fail' })
  })
})

it.runIf(inFull)(
  'passes where a server rejects filters, whose form is not known',
  { timeout: 120_000 },
  async () => {
    const ids = ['batch.succeeds-together', 'batch.url', 'create.listed', 'record.sequences']
    const front: Front = async (request, next) =>
      new URL(request.url).searchParams.has('filter')
        ? Response.json({ message: 'There is no parameter "filter".' }, { status: 400 })
        : next(request)
    const { statuses } = await runBy(await blog({ front }), ids)
    expect(statuses).toEqual(Object.fromEntries(ids.map((id) => [id, 'pass'])))
  },
)

/** Deletes no post with comments, and returns a receipt for a new comment. */
const keepingParents: Front = async (request, next) => {
  const post = /\/posts\/records\/(\w+)$/.exec(request.url)?.[1]
  if (request.method === 'DELETE' && post !== undefined) {
    const filter = new URLSearchParams({ filter: `post = "${post}"` })
    const comments = await next(
      new Request(new URL(`/api/v1/collections/comments/records?${filter}`, request.url)),
    )
    if (((await comments.json()) as { totalItems: number }).totalItems > 0)
      return Response.json({ message: 'The post has comments.' }, { status: 409 })
  }
  const isCreate = request.method === 'POST' && request.url.endsWith('/comments/records')
  const response = await next(request)
  return isCreate && response.ok ? Response.json({ status: 'accepted' }, { status: 202 }) : response
}

it('deletes a record after another one that kept it from being deleted', { timeout: 120_000 }, async () => {
  const { statuses, leftovers } = await runBy(await blog({ front: keepingParents }), [
    'list.expand-relation',
    'table.separate',
  ])
  expect(statuses).toEqual({ 'list.expand-relation': 'pass', 'table.separate': 'pass' })
  expect(leftovers).toEqual([])
})

/** Counts something with each response, in fields whose names have a meaning in tables that this server does not have. */
const withCounters: Front = async (request, next) => {
  const response = await next(request)
  if (!response.headers.get('content-type')?.includes('json') || response.status === 204) return response
  const text = await response.text()
  const counted = text.replaceAll('{"collectionId"', () => {
    reads += 1
    return `{"rank":${reads},"label":"seen ${reads} times","number":${reads},"collectionId"`
  })
  return new Response(counted, { status: response.status, headers: json })
}
let reads = 0

it.runIf(inFull)(
  'fields of its own that have names of ours may change at any time',
  async () => {
    const only = inFull ? ['create', 'update', 'delete', 'record', 'batch', 'list'] : ['update', 'record']
    const { statuses } = await runBy(
      await blog({ front: withCounters }),
      only.map((area) => `${area}.*`),
    )
    expect(reads).toBeGreaterThan(0)
    expect(Object.keys(statuses).filter((id) => statuses[id] === 'fail')).toEqual([])
  },
  120_000,
)
