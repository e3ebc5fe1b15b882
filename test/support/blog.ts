/**
 * A blog whose comments refer to posts, with open tables: only its address is known to a run.
 *
 * @module
 */

import { onTestFinished } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { copyOf, type Front, startFronted } from './fronted-reference.ts'
import { openRules, stamps } from './open-rules.ts'
import { runConformance } from './run-here.ts'

/** Posts, and comments that refer to one each. */
const tablesOf = (required: boolean): TableDefinition[] => [
  {
    name: 'posts',
    type: 'base',
    ...openRules,
    fields: [{ name: 'headline', type: 'text', required: true }, ...stamps],
  },
  {
    name: 'comments',
    type: 'base',
    ...openRules,
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

export interface Blog {
  records?: Record<string, Record<string, unknown>[]>
  /** The query of a list, as the reference takes it. */
  query?: (query: URLSearchParams) => void
  /** Whether a comment must refer to a post. @default true */
  required?: boolean
  /** Stands in front of the reference, behind the other changes. */
  front?: Front
  /** Changes the items of a list. */
  items?: (items: Record<string, unknown>[], query: URLSearchParams) => void
}

/** @returns the address of a blog, which is closed when the test is finished */
export async function blog({
  records: existing = records,
  required = true,
  front = (request, next) => next(request),
  query: rewrite,
  items: change,
}: Blog = {}) {
  const server = await startFronted(
    { tables: tablesOf(required), records: existing },
    async (request, next) => {
      const url = new URL(request.url)
      const asked = new URLSearchParams(url.search)
      const isList = request.method === 'GET' && url.pathname.endsWith('/records')
      if (isList) rewrite?.(url.searchParams)
      const response = await front(await copyOf(request, { url }), next)
      if (!isList || change === undefined || !response.ok) return response
      const list = (await response.json()) as { items: Record<string, unknown>[] }
      change(list.items, asked)
      return Response.json(list)
    },
  )
  onTestFinished(() => server.close())
  return server.url
}

/**
 * Runs some checks against an address alone.
 *
 * @param runs part of the usual examples. @default a tenth; all of them in a full test
 */
export async function runBy(baseUrl: string, only: readonly string[], runs = inFull ? 1 : 0.1) {
  const { findings, smoke, leftovers } = await runConformance({
    baseUrl,
    seed: 7,
    only: [...only],
    runs,
  })
  const statuses = Object.fromEntries(findings.map(({ requirement, status }) => [requirement, status]))
  return { statuses, notes: smoke.notes, findings, leftovers }
}
