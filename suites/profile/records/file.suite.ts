/** The file field (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Api, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { formOf, PNG, textFile } from '../../shared/records/forms.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** A record that holds two files in `files`. */
async function withTwoFiles(api: Api, table: TableRef): Promise<{ record: WireRecord; files: string[] }> {
  const form = formOf([
    ['files', textFile('first.txt')],
    ['files', textFile('second.txt')],
  ])
  const record = recordOf(await api.create(table, form), 'a create with two files')
  const { files } = record
  expectThat(
    Array.isArray(files) && files.length === 2,
    'a create with two files does not return two names',
    'two names in `files`',
    files,
  )
  return { record, files: files.map(String) }
}

function expectStems(files: unknown, stems: readonly string[], what: string): void {
  expectThat(Array.isArray(files), `${what}: \`files\` is not a list`, 'a list of names', files)
  expectEqual(
    files.map((name) => String(name).split('_')[0]),
    stems,
    what,
  )
}

check('file.stored-name', async ({ api, table }) => {
  const form = formOf([
    ['file', textFile('My Report (final).txt')],
    ['files', textFile('one.md')],
    ['files', textFile('two.txt')],
  ])
  const created = recordOf(await api.create(table('everything'), form))
  expectThat(
    /^my_report_final_[a-z0-9]{10,}\.txt$/.test(String(created.file)),
    'the stored name of a file has another form',
    'my_report_final_<random>.txt',
    created.file,
  )
  expectStems(created.files, ['one', 'two'], 'the files in the order of their parts')
  const viewed = recordOf(await api.view(table('everything'), created.id))
  expectEqual([viewed.file, viewed.files], [created.file, created.files], 'the file names in a view')
})

check('file.only-uploads', async ({ api, table, rejects }) => {
  const { record, files } = await withTwoFiles(api, table('everything'))
  await rejects({
    control: () => api.update(table('everything'), record.id, { files }),
    attempt: () =>
      api.update(table('everything'), record.id, { files: [files[0], 'elsewhere_0123456789.txt'] }),
    status: 400,
    data: { files: 'validation_invalid_file' },
  })
  const viewed = recordOf(await api.view(table('everything'), record.id))
  expectEqual(viewed.files, files, 'the files after a rejected update')
})

const png = (bytes: number, type = 'image/png') =>
  formOf([
    ['image', { name: 'dot.png', bytes: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]), type }],
  ])

check('file.max-size', async ({ api, table, rejects }) => {
  await rejects({
    control: () => api.create(table('constrained'), png(1000)),
    attempt: () => api.create(table('constrained'), png(1001)),
    status: 400,
    data: { image: 'validation_file_size_limit' },
  })
})

check('file.mime-types', async ({ api, table, rejects }) => {
  await rejects({
    // The claimed types are the wrong way round: what the bytes say counts.
    control: () => api.create(table('constrained'), png(200, 'text/plain')),
    attempt: () =>
      api.create(
        table('constrained'),
        formOf([['image', { name: 'dot.png', bytes: 'plain text', type: 'image/png' }]]),
      ),
    status: 400,
    data: { image: 'validation_invalid_mime_type' },
  })
})

check('file.too-many', async ({ api, table, rejects }) => {
  const many = (count: number) =>
    formOf(Array.from({ length: count }, (_, n) => ['files', textFile(`file${n}.txt`)] as const))
  await rejects({
    control: () => api.create(table('everything'), many(3)),
    attempt: () => api.create(table('everything'), many(4)),
    status: 400,
    data: { files: 'validation_too_many_files' },
  })
})

check('file.replaces', async ({ api, table }) => {
  const { record } = await withTwoFiles(api, table('everything'))
  const form = formOf([['files', textFile('third.txt')]])
  expectStems(
    recordOf(await api.update(table('everything'), record.id, form)).files,
    ['third'],
    'the files after an upload',
  )
})

check('file.appends', async ({ api, table }) => {
  const { record, files } = await withTwoFiles(api, table('everything'))
  const remove = recordOf(await api.update(table('everything'), record.id, { 'files-': files[1] }))
  expectStems(remove.files, ['first'], 'the files after one was removed')
  const behind = recordOf(
    await api.update(table('everything'), record.id, formOf([['files+', textFile('behind.txt')]])),
  )
  expectStems(behind.files, ['first', 'behind'], 'the files after `files+`')
  const before = recordOf(
    await api.update(table('everything'), record.id, formOf([['+files', textFile('before.txt')]])),
  )
  expectStems(before.files, ['before', 'first', 'behind'], 'the files after `+files`')
})

check('file.removes', async ({ api, table }) => {
  const { record, files } = await withTwoFiles(api, table('everything'))
  const one = recordOf(await api.update(table('everything'), record.id, { 'files-': files[0] }))
  expectEqual(one.files, [files[1]], 'the files after one was removed')
  const bodies: Body[] = [{ files: [] }, { files: null }, { files: '' }]
  for (const body of bodies) {
    const fresh = await withTwoFiles(api, table('everything'))
    const emptied = recordOf(await api.update(table('everything'), fresh.record.id, body))
    expectEqual(emptied.files, [], `the files after ${JSON.stringify(body)}`)
  }
  const form = formOf([
    ['file', textFile('single.txt')],
    ['files', textFile('first.txt')],
    ['files', textFile('second.txt')],
  ])
  const { id, file, files: both } = recordOf(await api.create(table('everything'), form))
  const left = Array.isArray(both) ? both.slice(1) : both
  const viewed = async () => {
    const record = recordOf(await api.view(table('everything'), id))
    return [record.file, record.files]
  }
  recordOf(await api.update(table('everything'), id, { file, files: left }))
  expectEqual(await viewed(), [file, left], 'the files in a view after an update with the names of some')
  recordOf(await api.update(table('everything'), id, { file: '' }))
  expectEqual(await viewed(), ['', left], 'the files in a view after an update with an empty name')
})
