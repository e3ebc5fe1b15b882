/** Multipart batches and files in them (standard profile, gap `batch.response`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectRejection, expectThat } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import { entriesOf, entryRecord, subRequests } from '../../shared/batch/entries.ts'
import { formOf, textFile } from '../../shared/records/forms.ts'
import { recordOf } from '../../shared/records/record-of.ts'

type Parts = Parameters<typeof formOf>[0]

const send = (api: Api, requests: unknown[], files: Parts = []) =>
  api.raw({
    operation: 'batch',
    method: 'POST',
    path: api.path.batch(),
    body: formOf([['@jsonPayload', JSON.stringify({ requests })], ...files]),
  })

const stems = (names: unknown) =>
  (Array.isArray(names) ? names : [names]).map((name) => String(name).split('_')[0])

check('batch.multipart-payload', async ({ api, table, unique }) => {
  const title = unique('title')
  const entries = entriesOf(await send(api, [subRequests(api).create(table('plain'), { title })]))
  expectEqual(entryRecord(entries, 0).title, title, 'title of entry 0')
})

check('batch.multipart-files', async ({ api, table, unique }) => {
  const { create, update } = subRequests(api)
  const everything = table('everything')
  const before = recordOf(await api.create(everything, formOf([['files', textFile('old.txt')]])))
  const text = unique('text')
  const response = await send(
    api,
    [create(everything, { text }), update(everything, before.id, {})],
    [
      ['requests.0.file', textFile('dotted.txt')],
      ['requests[0].files', textFile('bracketed.txt')],
      ['requests.1.files+', textFile('appended.txt')],
    ],
  )
  const entries = entriesOf(response)
  const created = recordOf(await api.view(everything, entryRecord(entries, 0).id))
  expectEqual(
    [created.text, stems(created.file), stems(created.files)],
    [text, ['dotted'], ['bracketed']],
    'the created record',
  )
  expectEqual(
    stems(recordOf(await api.view(everything, before.id)).files),
    ['old', 'appended'],
    'the files of the updated record',
  )
})

check('batch.files-rolled-back', async ({ api, table, unique }) => {
  const { create, update } = subRequests(api)
  const everything = table('everything')
  const before = recordOf(await api.create(everything, formOf([['files', textFile('kept.txt')]])))
  const requests = [
    update(everything, before.id, { 'files-': before.files, text: 'changed' }),
    create(everything, { text: unique('new') }),
  ]
  const uploads: Parts = [['requests.0.file', textFile('new.txt')]]
  const failed = await send(api, [...requests, create(table('required'), {})], uploads)
  expectRejection(failed, 'a batch with a failing sub-request')
  expectEqual(recordOf(await api.view(everything, before.id)), before, 'the record after the failed batch')
  const done = await send(api, requests, uploads)
  expectThat(done.ok, 'the same batch without the failing sub-request was rejected', 'success', done.text)
  const after = recordOf(await api.view(everything, before.id))
  expectEqual([after.files, stems(after.file)], [[], ['new']], 'the files after the batch that succeeds')
})
