/** Hostile bodies: whatever their bytes, no server fault, and a refusal leaves no trace (gap `errors.envelope`). */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual, expectThat } from '../../harness/judging/expect.ts'
import type { Api, Reply } from '../../harness/vocabulary/api.ts'
import { subRequests } from '../batch/entries.ts'
import { listOf, recordOf } from '../records/record-of.ts'
import { anyText } from './any-text.ts'
import { expectOrdinary, expectSafe } from './safe.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const post = (api: Api, path: string, body: string | Uint8Array, type = 'application/json'): Promise<Reply> =>
  api.raw({ method: 'POST', path, headers: { 'content-type': type }, body })

/** Well-formed JSON with one character taken out, doubled or replaced. */
const brokenJson = fc
  .tuple(
    fc.jsonValue({ maxDepth: 2 }),
    fc.nat(),
    fc.constantFrom('', '"', '{', ']', ',', '\\', '\u0000', '\ufeff'),
  )
  .map(([value, at, put]) => {
    const text = JSON.stringify({ title: 'x', value })
    const place = at % text.length
    return text.slice(0, place) + put + text.slice(place + 1)
  })

check('robust.malformed-bodies', async (context) => {
  const { api, table, make, unique } = context
  const record = await make(table('plain'), { title: unique('kept') })
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), brokenJson, anyText({ maxLength: 20 }))
  await context.property([bytes], async (body) => {
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
      expectEqual(title, record.title, 'title after a refused update')
    } else recordOf(await api.update(table('plain'), record.id, { title: record.title }))
  })
})

check('robust.media-types', async (context) => {
  const { api, table, property, unique } = context
  await expectOrdinary(context, 'plain')
  const body = JSON.stringify({ title: unique('title') })
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
    expectSafe(
      await post(api, api.path.records(table('plain')), sent, contentType),
      `a create that claims ${contentType}`,
    )
  })
})

check('robust.deep-nesting', async (context) => {
  const { api, table } = context
  await expectOrdinary(context, 'everything')
  for (const depth of [100, 5_000, 100_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const json = `${open.repeat(depth)}1${close.repeat(depth)}`
      const reply = await post(api, api.path.records(table('everything')), `{"json":${json}}`)
      expectSafe(reply, `a create with ${depth} levels of ${open}`)
    }
  }
  const reply = await post(api, api.path.records(table('everything')), '['.repeat(50_000))
  expectSafe(reply, 'a create with 50000 open brackets')
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
      const reply = await post(
        api,
        api.path.batch(),
        JSON.stringify(wrapped ? { requests } : { requests: entries[0] }),
      )
      expectSafe(reply, 'a batch')
      const { items } = listOf(await api.list(table('plain'), { filter: `title = "${title}"` }))
      if (!reply.ok) expectEqual(items, [], 'the records that a refused batch wrote')
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
  const hostile = ['{', '[[[[', '\u0000', '{"title":1e999}', '{"__proto__":{"title":"x"}}', '"\\ud800"']
  for (const body of hostile) await post(api, api.path.records(table('plain')), body)
  const title = unique('title')
  const record = recordOf(
    await api.create(table('plain'), { title }),
    'a well-formed create after hostile ones',
  )
  expectEqual(recordOf(await api.view(table('plain'), record.id)).title, title, 'title')
  const empty = recordOf(await api.create(table('plain'), {}))
  expectThat(
    empty.title === '',
    'an empty create has a title after hostile requests',
    'an empty text',
    empty.title,
  )
})
