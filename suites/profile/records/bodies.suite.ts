/** JSON bodies (standard profile, gap `records.bodies`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectRejection, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { recordOf } from '../../shared/records/record-of.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const post = (
  api: Api,
  ref: TableRef,
  body: string | undefined,
  headers: Record<string, string> = JSON_TYPE,
) => api.raw({ method: 'POST', path: api.path.records(ref), headers, body })

const patch = (
  api: Api,
  ref: TableRef,
  id: string,
  body: string | undefined,
  headers: Record<string, string> = JSON_TYPE,
) =>
  api.raw({
    method: 'PATCH',
    path: api.path.record(ref, id),
    headers,
    body,
  })

/** Each string is rejected with 400 as the body of a create and of an update, and the update changes nothing. */
async function expectBodiesRejected(
  { api, table, make, rejects, unique }: CheckContext,
  bodies: readonly string[],
  headers: Record<string, string> = JSON_TYPE,
): Promise<void> {
  const plain = table('plain')
  const title = unique('title')
  const good = JSON.stringify({ title })
  const { id } = await make(plain, { title })
  for (const body of bodies) {
    await rejects({
      control: () => post(api, plain, good),
      attempt: () => post(api, plain, body, headers),
      status: 400,
    })
    await rejects({
      control: () => patch(api, plain, id, good),
      attempt: () => patch(api, plain, id, body, headers),
      status: 400,
    })
  }
  expectEqual(recordOf(await api.view(plain, id)).title, title, 'title after rejected updates')
}

check('body.malformed', (context) =>
  expectBodiesRejected(context, [
    '{',
    '{"title":}',
    '{"title":"x"',
    "{'title':'x'}",
    'title=x',
    '{"title":tru}',
  ]),
)

check('body.not-object', (context) =>
  expectBodiesRejected(context, ['[]', '[{"title":"x"}]', '"text"', '12', 'true']),
)

check('body.media-type-unknown', async (context) => {
  const body = [JSON.stringify({ title: context.unique('changed') })]
  await expectBodiesRejected(context, body, { 'content-type': 'text/plain' })
  await expectBodiesRejected(context, body, { 'content-type': 'application/vnd.api+json' })
})

check('body.unknown-keys', async ({ api, table, unique }) => {
  const title = unique('title')
  const created = recordOf(await api.create(table('plain'), { title, unknown: 1, 'also unknown': { a: 2 } }))
  const updated = recordOf(await api.update(table('plain'), created.id, { unknown: [3] }))
  for (const record of [created, updated]) {
    expectThat(
      !('unknown' in record || 'also unknown' in record),
      'an unknown key was stored',
      'known keys only',
      record,
    )
    expectEqual(record.title, title, 'title sent with an unknown key')
  }
})

check('body.reserved-keys', async ({ api, table, unique }) => {
  const lies = {
    collectionId: 'lie',
    collectionName: 'lie',
    expand: { a: 1 },
    created: '2001-01-01 00:00:00.000Z',
    updated: '2001-01-01 00:00:00.000Z',
  }
  const honest = recordOf(await api.create(table('plain'), { title: unique('title') }))
  const title = unique('title')
  const created = recordOf(await api.create(table('plain'), { title, ...lies }))
  expectEqual(created.title, title, 'title sent with fields that only the server sets')
  const updated = recordOf(await api.update(table('plain'), created.id, lies))
  for (const record of [created, updated]) {
    expectEqual(
      [record.collectionId, record.collectionName],
      [honest.collectionId, honest.collectionName],
      'the table in a record',
    )
    expectThat(record.expand === undefined, 'expand was stored', 'no expand', record.expand)
    expectThat(
      record.created !== lies.created && record.updated !== lies.updated,
      'a client set created or updated',
      "the server's own time",
      record,
    )
  }
})

check('body.keys-exact-case', async ({ api, table, unique }) => {
  const title = unique('title')
  const record = recordOf(await api.create(table('plain'), { title, Title: 'other', TITLE: 'other' }))
  expectEqual(record.title, title, 'title sent with Title and TITLE')
})

check('body.absent', async ({ api, table, make, unique }) => {
  // Where a field is required an empty object is rejected for it, and no record is left that holds nothing of the run.
  const reasons = async (body: string | undefined, headers?: Record<string, string>) => {
    const response = await post(api, table('required'), body, headers)
    expectRejection(response, 'a create without the required fields')
    return objectBody(response).data
  }
  const empty = await reasons('{}')
  expectEqual(await reasons(undefined), empty, 'the errors of a create without a body')
  expectEqual(await reasons(undefined, {}), empty, 'the same without a media type')
  const { id, title } = await make(table('plain'), { title: unique('title') })
  expectEqual(
    recordOf(await patch(api, table('plain'), id, undefined, {})).title,
    title,
    'title after an update without a body',
  )
})

check('body.empty-update', async ({ api, table, unique }) => {
  const text = unique('text')
  const before = recordOf(
    await api.create(table('everything'), { text, number: 3, json: [1], selects: ['a'] }),
  )
  const after = recordOf(await api.update(table('everything'), before.id, {}))
  const moving = { stamp: '', updated: '' }
  expectEqual({ ...after, ...moving }, { ...before, ...moving }, 'the record after an empty update')
})

check('body.duplicate-keys', async ({ api, table, unique }) => {
  const title = unique('title')
  const record = recordOf(
    await post(api, table('plain'), `{"title":"first","title":${JSON.stringify(title)}}`),
  )
  expectEqual(record.title, title, 'title that was sent twice')
})

check('body.media-type-parameters', async ({ api, table, unique }) => {
  const title = unique('title')
  for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8']) {
    expectEqual(
      recordOf(await post(api, table('plain'), JSON.stringify({ title }), { 'content-type': type })).title,
      title,
      `title sent as ${type}`,
    )
  }
})
