/** What the document says of every record and its fields (document 1, 2.1, 2.3, 4.1). */

import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess, expectThat, UntestableError } from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import { formOf, textFile } from '../../shared/records/forms.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { samples } from '../../shared/records/samples.ts'
import { tableById } from '../../shared/records/table-by-id.ts'
import { takesSameText } from '../../shared/records/takes-same-text.ts'
import { everyShape } from './every-shape.ts'
import { expectCapitalsViewed } from './expect-capitals-viewed.ts'
import { expectIdKept } from './expect-id-kept.ts'
import { expectText } from './expect-text.ts'
import { shapesAfterSetting } from './shapes-after-setting.ts'
import { lackingFields, mappingHint, unknownFields, unmappedFields } from './unknown-fields.ts'
import { updateAsTaken } from './update-as-taken.ts'

check('record.id', async (context) => {
  for await (const { record, from } of everyShape(context)) {
    expectThat(
      typeof record.id === 'string' && record.id !== '',
      `\`id\` in ${from} is not a string`,
      'a string',
      record.id,
    )
  }
})

check('record.id-unique', async (context) => {
  const { api, table, makeMany, unique } = context
  const title = unique('same')
  const isSame = await takesSameText(context, 'plain')
  const made = await makeMany(
    table('plain'),
    Array.from({ length: 20 }, (_, at) => ({ title: isSame ? title : `${title} ${at}` })),
  )
  const ids = new Set(made.map(({ id }) => id))
  expectEqual(ids.size, made.length, `the number of different ids in the responses to ${made.length} creates`)
  // An id that a list shows twice is reported here. Other checks judge whether a list shows all records.
  await readTable(api, table('plain'), (record) => String(record.title).startsWith(title))
})

check('record.id-stable', async (context) => {
  const { api, table, make, unique } = context
  const { id } = await make(table('plain'), { title: unique('old') })
  const title = unique('new')
  expectSuccess(await api.update(table('plain'), id, { title }), 'an update')
  const viewed = recordOf(await api.view(table('plain'), id))
  expectEqual(viewed.id, id, 'id after an update')
  expectText(viewed.title, title, 'title after an update')
  await expectIdKept(context)
})

check('record.collection-id', async (context) => {
  for await (const { table, record, from } of everyShape(context)) {
    const { collectionId } = record
    expectThat(
      typeof collectionId === 'string' && collectionId !== '',
      `\`collectionId\` in ${from} is not a string`,
      'a string',
      collectionId,
    )
    if (table.id !== undefined) expectEqual(collectionId, table.id, `\`collectionId\` in ${from}`)
  }
  const { collectionId } = await context.make(context.table('plain'), { title: context.unique('title') })
  for await (const { record, from } of shapesAfterSetting(context, 'collectionId', ['another-table']))
    expectEqual(record.collectionId, collectionId, `\`collectionId\` in ${from}`)
})

check('record.collection-id-distinct', async (context) => {
  const byTable = new Map<string, unknown>()
  for await (const { table, record, from } of everyShape(context)) {
    expectEqual(
      record.collectionId,
      byTable.get(table.name) ?? record.collectionId,
      `\`collectionId\` in ${from} of ${table.name}`,
    )
    byTable.set(table.name, record.collectionId)
  }
  if (byTable.size < 2)
    throw new UntestableError('the target has no second table to compare with', tableHint('related'))
  expectEqual(new Set(byTable.values()).size, byTable.size, 'the number of tables by collectionId')
})

check('record.collection-name', async (context) => {
  for await (const { table, record, from } of everyShape(context)) {
    expectEqual(record.collectionName, table.name, `\`collectionName\` in ${from}`)
  }
  for await (const { record, from } of shapesAfterSetting(context, 'collectionName', ['another-table']))
    expectEqual(record.collectionName, context.table('plain').name, `\`collectionName\` in ${from}`)
})

check('record.collection-name-by-id', async (context) => {
  const { api, make, unique } = context
  for (const [role, field] of [
    ['plain', 'title'],
    ['related', 'name'],
  ] as const) {
    if (!context.hasTable(role)) continue
    const table = context.table(role)
    const { id, collectionId } = await make(table, { [field]: unique(field) })
    const byId = tableById(table, { id, collectionId })
    const expectName = (shown: unknown, from: string) =>
      expectEqual(shown, table.name, `\`collectionName\` in ${from} by the identifier of the table`)
    expectName(recordOf(await api.view(byId, id)).collectionName, 'a view')
    const listed = await readTable(api, byId, (record) => record.id === id)
    expectName(listed.get(id)?.collectionName, 'a list')
    // The document does not show what writes return: only a record in the response is judged.
    for (const [what, written] of [
      ['a create', await api.create(byId, { [field]: unique(field) })],
      ['an update', await api.update(byId, id, { [field]: unique(field) })],
    ] as const)
      if (written.ok && isObject(written.body) && 'collectionName' in written.body)
        expectName(written.body.collectionName, `the response to ${what}`)
  }
})

check('record.table-fields', async (context) => {
  const { api, table, hasTable, make, unique } = context
  const everything = table('everything')
  const lacking = await lackingFields(context)
  for (const bool of [true, false]) {
    const body = { text: unique('text'), bool }
    const { id } = await make(everything, body)
    const viewed = recordOf(await api.view(everything, id))
    expectText(viewed.text, body.text, 'text in a view')
    if (!lacking.includes('bool')) expectEqual(viewed.bool, bool, 'bool in a view')
  }
  if (hasTable('related')) {
    const name = unique('name')
    const { id } = await make(table('related'), { name })
    expectEqual(recordOf(await api.view(table('related'), id)).name, name, 'name in a view of another table')
  }
  if (lacking.includes('bool')) throw unmappedFields(everything, ['bool'])
})

check('relation.single-id', async (context) => {
  const { api, make, unique } = context
  const { child, parent } = relationOf(context)
  const related = await make(parent, { name: unique('parent') })
  const response = await api.create(child, { name: unique('child'), parent: related.id })
  const id = await createdIn(context, child, response, 'a create with a relation')
  const viewed = recordOf(await api.view(child, id))
  expectEqual(viewed.parent, related.id, 'the relation in a view')
})

check('field-types.all', async ({ api, table, make, unique }) => {
  const everything = table('everything')
  const related = await make(table('related'), { name: unique('related') })
  const body = { ...samples(related.id), text: unique('text') }
  const { id } = await make(everything, { text: body.text })
  // How values are written and files are sent is left open; that the record shows its fields is not.
  const taken = await updateAsTaken(api, everything, id, body)
  const upload = await api.update(everything, id, formOf([['file', textFile('upload.txt')]]))
  const viewed = recordOf(await api.view(everything, id))
  const lacking = [...Object.keys(body), 'stamp', 'file'].filter(
    (field) => field !== 'password' && !(field in viewed),
  )
  if (lacking.length === 0) return
  const accepted = lacking.filter((field) =>
    field === 'file' ? upload.ok : field === 'stamp' || taken.includes(field),
  )
  const unknown = await unknownFields(api, everything, id, accepted)
  const hidden = accepted.filter((field) => !unknown.includes(field))
  expectThat(
    hidden.length === 0,
    `the record does not show its ${hidden.join(', ')} field${hidden.length === 1 ? '' : 's'}`,
    `the key ${hidden[0]}`,
    viewed,
  )
  if (unknown.length > 0) throw unmappedFields(everything, lacking)
  // A server may leave out what has no value.
  throw new UntestableError(
    `the target accepts no value that the suite knows for ${lacking.join(', ')}, and omits fields without a value`,
    everything.existing === true ? mappingHint(everything, lacking) : '',
  )
})

check('view.record', async (context) => {
  const { api, table, makeMany, unique } = context
  const made = await makeMany(
    table('plain'),
    [1, 2, 3].map((n) => ({ title: unique(`title${n}`) })),
  )
  for (const { id, title } of made) {
    const viewed = recordOf(await api.view(table('plain'), id))
    expectEqual([viewed.id, viewed.title], [id, title], 'id and title in a view')
  }
  const twice = [...made, ...made]
  const responses = await Promise.allSettled(twice.map(({ id }) => api.view(table('plain'), id)))
  for (const [at, outcome] of responses.entries()) {
    if (outcome.status === 'rejected') throw outcome.reason
    const { id, title } = recordOf(outcome.value, 'a concurrent view')
    expectEqual([id, title], [twice[at]?.id, twice[at]?.title], 'id and title in a concurrent view')
  }
  await expectCapitalsViewed(context, made[0]?.id ?? '')
})

check('relation.leads-to-record', async (context) => {
  const { api, make, unique } = context
  const { child, parent } = relationOf(context)
  const related = await make(parent, { name: unique('parent') })
  const { id } = await make(child, { name: unique('child'), parent: related.id })
  const shown = recordOf(await api.view(child, id)).parent
  expectEqual(
    recordOf(await api.view(parent, String(shown))).name,
    related.name,
    'the record that the relation leads to',
  )
})
