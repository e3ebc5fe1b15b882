/** Form and multipart bodies (standard profile, gap `records.bodies`). */

import { check } from '../../../harness/check.ts'
import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { formOf } from '../../shared/records/forms.ts'
import { recordOf } from '../../shared/records/record-of.ts'

const postText = (api: Api, ref: TableRef, type: string, body: string) =>
  api.raw({ method: 'POST', path: api.path.records(ref), headers: { 'content-type': type }, body })

check('body.form-urlencoded', async ({ api, table, unique }) => {
  const text = unique('a text')
  const form = new URLSearchParams([
    ['text', text],
    ['number', '-12.5'],
    ['bool', 'true'],
    ['selects', 'c'],
    ['selects', 'a'],
    ['json', 'true'],
    ['geo', '{"lon":1,"lat":2}'],
  ])
  const record = recordOf(
    await postText(api, table('everything'), 'application/x-www-form-urlencoded', form.toString()),
  )
  expectEqual(
    [record.text, record.number, record.bool, record.selects, record.json, record.geo],
    [text, -12.5, true, ['c', 'a'], true, { lon: 1, lat: 2 }],
    'text, number, bool, selects, json and geo from a form',
  )
})

check('body.multipart', async ({ api, table, unique }) => {
  const text = unique('text')
  const form = formOf([
    ['text', 'overruled'],
    ['number', '7'],
    ['bool', 'false'],
    ['selects', 'a'],
    ['selects', 'b'],
    ['editor', '007'],
    ['@jsonPayload', JSON.stringify({ text, json: { deep: ['7', true] } })],
    ['@jsonPayload', JSON.stringify({ select: 'c' })],
  ])
  const record = recordOf(await api.create(table('everything'), form))
  expectEqual(
    [record.text, record.number, record.bool, record.selects, record.editor, record.json, record.select],
    [text, 7, false, ['a', 'b'], '007', { deep: ['7', true] }, 'c'],
    'text, number, bool, selects, editor, json and select from a multipart body',
  )
})

check('body.payload-malformed', async ({ api, table, rejects, unique }) => {
  const title = unique('title')
  for (const payload of ['{"title":', '[1]', '"text"']) {
    await rejects({
      control: () => api.create(table('plain'), formOf([['@jsonPayload', JSON.stringify({ title })]])),
      attempt: () => api.create(table('plain'), formOf([['@jsonPayload', payload]])),
      status: 400,
    })
  }
})

check('body.multipart-broken', async ({ api, table, rejects, unique }) => {
  const body = `--edge\r\nContent-Disposition: form-data; name="title"\r\n\r\n${unique('title')}\r\n--edge--\r\n`
  await rejects({
    control: () => postText(api, table('plain'), 'multipart/form-data; boundary=edge', body),
    attempt: () => postText(api, table('plain'), 'multipart/form-data', body),
    status: 400,
  })
})
