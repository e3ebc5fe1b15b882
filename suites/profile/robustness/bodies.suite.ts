/** Hostile bodies: no bytes cause a server error, and a rejected request leaves no trace (gap `errors.envelope`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import { nestedByUs } from '../../../harness/wire/json-of.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { anyText } from './any-text.ts'
import { expectOrdinary, expectSafe } from './expect-safe.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const post = (api: Api, path: string, body: string | Uint8Array): Promise<ApiResponse> =>
  api.raw({ method: 'POST', path, headers: JSON_TYPE, body })

/** Well-formed JSON with one character removed, doubled or replaced. A server may accept some, so each has its own string. */
const brokenJson = fc
  .tuple(
    fc.jsonValue({ maxDepth: 2 }),
    fc.nat(),
    fc.constantFrom('', '"', '{', ']', ',', '\\', '\u0000', '\ufeff'),
  )
  .map(([value, at, put]) => (title: string) => {
    const text = JSON.stringify({ title, value })
    // The title stays whole.
    const from = text.indexOf(',"value"')
    const place = from + (at % (text.length - from))
    return text.slice(0, place) + put + text.slice(place + 1)
  })
/** What no server should accept as JSON. An empty body could be an empty object. */
const garbage = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
  anyText({ minLength: 1, maxLength: 20 }),
)

check('robust.malformed-bodies', async (context) => {
  const { api, table, make, unique } = context
  const record = await make(table('plain'), { title: unique('kept') })
  await context.property([fc.oneof(garbage, brokenJson)], async (made) => {
    const body = typeof made === 'function' ? made(unique('broken')) : made
    expectSafe(await post(api, api.path.records(table('plain')), body), 'a create')
    const update = await api.raw({
      method: 'PATCH',
      path: api.path.record(table('plain'), record.id),
      headers: JSON_TYPE,
      body,
    })
    expectSafe(update, 'an update')
    if (!update.ok) {
      const { title } = recordOf(await api.view(table('plain'), record.id))
      expectEqual(title, record.title, 'title after a rejected update')
    } else recordOf(await api.update(table('plain'), record.id, { title: record.title }))
  })
})

check('robust.media-types', async (context) => {
  const { api, table, make, property, unique } = context
  // Updates only: if the server read the body as a form without fields, a create would make a record without a mark
  // of the run.
  const { id } = await make(table('plain'), { title: unique('title') })
  const body = JSON.stringify({ title: unique('changed') })
  const type = fc.constantFrom(
    'application/json; charset=utf-16',
    'application/JSON',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=edge',
    'multipart/mixed; boundary=edge',
    'text/plain',
    'text/xml',
    'application/xml',
    'application/octet-stream',
    '*/*',
    ';',
    'json',
    'application/json, text/plain',
  )
  const payload = fc.constantFrom(
    body,
    `--edge\r\n${body}`,
    '--edge--',
    '<a><b/></a>',
    '%zz=%',
    '@jsonPayload=%7B',
    '\u0000',
  )
  await property([type, payload], async (contentType, sent) => {
    const headers = { 'content-type': contentType }
    const path = api.path.record(table('plain'), id)
    expectSafe(
      await api.raw({ method: 'PATCH', path, headers, body: sent }),
      `an update that declares ${contentType}`,
    )
  })
})

check('robust.deep-nesting', async (context) => {
  const { api, table, unique } = context
  await expectOrdinary(context, 'everything')
  for (const depth of [100, 5_000, 100_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const json = `${open.repeat(depth)}"${nestedByUs}"${close.repeat(depth)}`
      const own = `"text":"${unique('deep')}"`
      const response = await post(api, api.path.records(table('everything')), `{${own},"json":${json}}`)
      expectSafe(response, `a create with ${depth} levels of ${open}`)
    }
  }
  const response = await post(api, api.path.records(table('everything')), '['.repeat(50_000))
  expectSafe(response, 'a create with 50000 open brackets')
})

const isNull = (value: unknown) => value === null

check('robust.batch-bodies', async (context) => {
  const { api, table, unique } = context
  // A null entry has a check of its own: `batch.null-entry`.
  const junk = fc.jsonValue({ maxDepth: 2 }).filter((value) => !isNull(value))
  const text = fc.oneof(fc.constantFrom('POST', 'PATCH', 'DELETE', 'PUT'), fc.string({ maxLength: 8 }))
  const entry = fc.oneof(
    junk,
    fc.record({
      method: text,
      url: fc.oneof(fc.string({ maxLength: 12 }), fc.constant(api.path.records('none'))),
      body: junk,
    }),
  )
  await context.property(
    [fc.array(entry, { minLength: 1, maxLength: 3 }), fc.boolean()],
    async (entries, wrapped) => {
      const title = unique('unwritten')
      const requests = [subRequests(api).create(table('plain'), { title }), ...entries]
      const response = await post(
        api,
        api.path.batch(),
        JSON.stringify(wrapped ? { requests } : { requests: entries[0] }),
      )
      expectSafe(response, 'a batch')
      const { items } = listOf(await api.list(table('plain'), { filter: `title = "${title}"` }))
      if (!response.ok) expectEqual(items, [], 'the records that a rejected batch created')
    },
  )
})

check('robust.get-body', async ({ api, table, make, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  for (const body of ['{broken', '[]', '{"title":"changed"}']) {
    for (const path of [api.path.record(table('plain'), id), api.path.records(table('plain'))]) {
      expectSafe(await api.raw({ method: 'GET', path, headers: JSON_TYPE, body }), 'a GET with a body')
    }
  }
  expectSafe(
    await api.raw({
      method: 'DELETE',
      path: api.path.record(table('plain'), id),
      headers: JSON_TYPE,
      body: '{broken',
    }),
    'a DELETE with a body',
  )
})

check('robust.survives', async ({ api, table, unique }) => {
  const own = `"title":"${unique('hostile')}"`
  const hostile = [
    '{',
    '[[[[',
    '\u0000',
    `{${own},"number":1e999}`,
    `{${own},"__proto__":{"editor":"x"}}`,
    '"\\ud800"',
  ]
  for (const body of hostile) await post(api, api.path.records(table('plain')), body)
  const title = unique('title')
  const record = recordOf(
    await api.create(table('plain'), { title }),
    'a well-formed create after hostile ones',
  )
  expectEqual(
    recordOf(await api.view(table('plain'), record.id)).title,
    title,
    'title of a record created after hostile requests',
  )
  const other = recordOf(await api.create(table('everything'), { text: unique('text') }))
  expectThat(
    other.editor === '',
    'a field that a create leaves out has a value after hostile requests',
    'an empty string',
    other.editor,
  )
})
