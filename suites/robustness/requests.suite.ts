/** Hostile methods and paths (gap `errors.envelope`). */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual, expectThat } from '../../harness/expect.ts'
import { recordOf } from '../records/record-of.ts'
import { anyText } from './any-text.ts'
import { expectSafe } from './safe.ts'

check('robust.methods', async ({ api, table, make, unique }) => {
  const record = await make(table('plain'), { title: unique('title') })
  const at = api.path.record(table('plain'), record.id)
  const all = api.path.records(table('plain'))
  const asks: (readonly [method: string, path: string])[] = [
    ...['PUT', 'POST', 'PROPFIND', 'LOCK', 'PURGE', 'MERGE'].map((method) => [method, at] as const),
    ...['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH'].map((method) => [method, all] as const),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, api.path.batch()] as const),
  ]
  for (const [method, path] of asks) {
    const body =
      method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{"title":"changed"}' }
    const reply = await api.raw({ method, path, ...body })
    expectThat(
      reply.status >= 400 && reply.status < 500,
      `${method} ${path} was not refused`,
      'a 4xx status',
      `${reply.status} ${reply.text}`,
    )
  }
  expectEqual(
    recordOf(await api.view(table('plain'), record.id)).title,
    record.title,
    'title after the wrong methods',
  )
})

check('robust.paths', async ({ api, table, property }) => {
  const segment = fc
    .oneof(
      anyText({ minLength: 1, maxLength: 12 }),
      fc.constantFrom(
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
      ),
    )
    .filter((text) => !/^\.*$/.test(text))
    .map(encodeURIComponent)
  await property([segment, segment], async (one, two) => {
    const record = api.path.record(table('plain'), 'x').replace(/x$/, one)
    const elsewhere = api.path.records('PLACE').replace('PLACE', one)
    for (const path of [record, elsewhere, `${elsewhere}/${two}`]) {
      for (const method of ['GET', 'DELETE']) {
        if (method === 'DELETE' && path === elsewhere) continue
        const reply = await api.raw({ method, path })
        expectSafe(reply, `${method} ${path}`)
        expectThat(!reply.ok, `${method} ${path} found something`, 'a refusal', reply.text)
      }
    }
  })
})
