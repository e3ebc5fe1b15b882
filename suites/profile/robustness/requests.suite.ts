/** Hostile methods and paths (gap `errors.envelope`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { anyText } from './any-text.ts'
import { expectOrdinary, expectSafe } from './expect-safe.ts'

check('robust.methods', async ({ api, table, make, unique }) => {
  const record = await make(table('plain'), { title: unique('title') })
  const at = api.path.record(table('plain'), record.id)
  const all = api.path.records(table('plain'))
  // A request that might change all records of a table is never sent to an existing table.
  const nowhere = api.path.records(unique('none'))
  const requests: (readonly [method: string, path: string])[] = [
    ...['PUT', 'POST', 'PROPFIND', 'LOCK', 'PURGE', 'MERGE'].map((method) => [method, at] as const),
    ...['PUT', 'PATCH', 'DELETE'].map((method) => [method, nowhere] as const),
    ...['PROPFIND', 'SEARCH'].map((method) => [method, all] as const),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, api.path.batch()] as const),
  ]
  const title = unique('changed')
  for (const [method, path] of requests) {
    const body =
      method === 'GET'
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title }) }
    const response = await api.raw({ method, path, ...body })
    expectThat(
      response.status >= 400 && response.status < 500,
      `${method} ${path} was not rejected`,
      'a 4xx status',
      `${response.status} ${response.text}`,
    )
  }
  expectEqual(
    recordOf(await api.view(table('plain'), record.id)).title,
    record.title,
    'title after the wrong methods',
  )
})

const NASTY = [
  '..%2f',
  "'",
  '"',
  '%',
  '\\',
  '\u0000',
  '*',
  'null',
  'undefined',
  '-1',
  'x'.repeat(3000),
  '😀',
  '{table}',
]

/** Puts a text in the place of a table and of an id. Nothing is found there, and nothing breaks. */
async function expectNothingAt({ api, table }: CheckContext, text: string): Promise<void> {
  const elsewhere = api.path.records(text)
  for (const path of [
    api.path.record(table('plain'), text),
    elsewhere,
    `${elsewhere}/${encodeURIComponent(text)}`,
  ]) {
    // A server that normalizes the path would delete what it leads to.
    const upwards = /(?:^|[/\\]|%2f|%5c)\.{1,2}(?:$|[/\\]|%2f|%5c)/i.test(text)
    for (const method of path === elsewhere || upwards ? ['GET'] : ['GET', 'DELETE']) {
      const response = await api.raw({ method, path })
      expectSafe(response, `${method} ${path.slice(0, 200)}`)
      expectThat(
        !response.ok,
        `${method} ${path.slice(0, 200)} found something`,
        'a rejection',
        response.text,
      )
    }
  }
}

check('robust.paths', async (context) => {
  await expectOrdinary(context, 'plain')
  for (const text of NASTY) await expectNothingAt(context, text)
  const text = anyText({ minLength: 1, maxLength: 12 }).filter((any) => !/^\.*$/.test(any))
  await context.property([text], (any) => expectNothingAt(context, any), { runs: 12 })
})
