/** The order of sub-requests, what they can hold, and what others see of them (document 4.1, 2.6). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectSuccess, UntestableError } from '../../../harness/judging/expect.ts'
import { NO_TABLE } from '../../../harness/support/no-record.ts'
import type { Api, Body, SubRequest, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { batching } from '../../shared/batch/batching.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { inBatches, mostEntries, severalEntries } from '../../shared/batch/most-entries.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { tableById } from '../../shared/records/table-by-id.ts'
import { awkward, easilyCut, emptied, filled } from '../records/awkward.ts'
import { expectNone } from '../records/commands.ts'
import { expectText } from '../records/expect-text.ts'
import { sameShown } from '../records/same-value.ts'
import { differsAtAll } from '../records/table-model.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'
import { withoutFields } from '../records/values-of.ts'
import { expectBothApplied } from './expect-both-applied.ts'
import { expectCreatedLast } from './expect-created-last.ts'
import { expectCreatedUpdated } from './expect-created-updated.ts'
import { expectSameCreated } from './expect-same-created.ts'
import { expectSignsInAsSent } from './expect-signs-in-as-sent.ts'
import { expectWrittenByPath } from './expect-written-by-path.ts'
import { referrals } from './given-ids.ts'
import { expectLongEntries } from './long-entries.ts'
import { possibleWrites } from './pair-world.ts'
import { takesRepeats } from './takes-repeats.ts'

check(
  'batch.mixes-methods',
  batching(async (context) => {
    const { api, table, make, unique } = context
    const { create, update, remove } = subRequests(api)
    const plain = table('plain')
    const most = await severalEntries(context)
    const changed = await make(plain, { title: unique('old') })
    const gone = await make(plain, { title: unique('gone') })
    const [fresh, title] = [unique('fresh'), unique('new')]
    const [removed, updated] = [remove(plain, gone.id), update(plain, changed.id, { title })]
    const born = create(plain, { title: fresh })
    // Of two at a time, each kind is mixed with another one.
    const batches =
      most < 3
        ? [
            [removed, born],
            [updated, create(plain, { title: unique('other') })],
          ]
        : [[removed, born, updated]]
    for (const mixed of batches) expectSuccess(await api.batch(mixed), 'a mixed batch')
    expectEqual(recordOf(await api.view(plain, changed.id)).title, title, 'title of the updated record')
    expectGone(await api.view(plain, gone.id), gone, 'a view of the deleted record')
    const created = await readTable(api, plain, (record) => record.title === fresh)
    expectEqual(created.size, 1, 'the number of created records')
  }),
)

check(
  'batch.parent-with-children',
  batching(async (context) => {
    const { api, unique } = context
    const { child, parent: parents } = relationOf(context)
    const { create } = subRequests(api)
    const refer = await referrals(context, parents, 'name')
    const entries = await severalEntries(context)
    const older =
      child === parents || entries < 3
        ? undefined
        : (await context.make(parents, { name: unique('older') })).id
    const family = (children: number) => {
      const marker = unique('family')
      // Entries for two tables in turns: a server may not do them table by table.
      const before = older === undefined ? [] : [create(child, { name: unique('before'), parent: older })]
      const { given, reference } = refer(before.length)
      const name = `${marker} parent`
      const born = Array.from({ length: children }, (_, n) =>
        create(child, { name: `${marker} child ${n}`, parent: reference }),
      )
      const isMember = ({ name }: WireRecord) => String(name).startsWith(marker)
      const members = async () => {
        const found = await readTable(api, parents, isMember)
        return child === parents ? found : new Map([...found, ...(await readTable(api, child, isMember))])
      }
      return { name, members, requests: [...before, create(parents, { ...given, name }), ...born] }
    }
    // The other entries: the parent, the one that fails, and the one before. Of two at a time, a parent with a child, or
    // with what fails.
    const most = entries - (older === undefined ? 2 : 3)
    const sizes = [
      fc.integer({ min: 1, max: Math.max(1, most) }),
      fc.nat({ max: Math.max(0, most) }),
    ] as const
    await context.property(
      [...sizes],
      async (children, failsAt) => {
        const whole = family(children)
        expectSuccess(await api.batch(whole.requests), 'a batch of a parent with its children')
        const found = await whole.members()
        expectEqual(found.size, children + 1, 'the size of the family')
        const head = [...found.values()].find(({ name }) => name === whole.name)?.id
        for (const { id, parent } of found.values()) {
          expectEqual(parent === head, id !== head, 'whether a member relates to the parent')
        }
        const broken = family(Math.min(children, most))
        const lost = { ...create(parents, {}), url: api.path.records(NO_TABLE) }
        broken.requests.splice(1 + (failsAt % broken.requests.length), 0, lost)
        await api.batch(broken.requests)
        expectEqual((await broken.members()).size, 0, 'the remains of a family that was not created together')
      },
      { runs: 8 },
    )
  }),
)

check(
  'batch.order',
  batching(async (context) => {
    const { api, table, make, unique } = context
    const { update, remove } = subRequests(api)
    const plain = table('plain')
    if (!(await takesRepeats(context)))
      throw new UntestableError(
        'no batch can write a record twice (allowed), so nothing shows the order',
        'no action needed; the other batch requirements are still checked',
      )
    const first = await make(plain, { title: unique('first') })
    const changed = update(plain, first.id, { title: unique('changed') })
    expectSuccess(await api.batch([changed, remove(plain, first.id)]), 'a batch of an update before a delete')
    const last = { ...first, ...changed.body }
    expectGone(await api.view(plain, first.id), last, 'a view of the record after its delete')
    const { id } = await make(plain, { title: unique('kept') })
    const kept = recordOf(await api.view(plain, id))
    const tooLate = await api.batch([remove(plain, id), update(plain, id, { title: unique('too late') })])
    const view = await api.view(plain, id)
    // In order, the delete is undone because the update fails: that it is undone is for `batch.all-or-nothing` to judge.
    if (!tooLate.ok && !view.ok)
      throw new BlockedError('a batch of a delete before an update was rejected, and deleted the record')
    const now = recordOf(view, 'a view after a batch of a delete before an update')
    expectNone(differsAtAll(now, kept), 'after a batch of a delete before an update')
    await context.property(
      [fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: await severalEntries(context) })],
      async (choices) => {
        const marker = unique('order')
        const records = await context.makeMany(
          plain,
          [0, 1, 2].map((n) => ({ title: `${marker} made ${n}` })),
        )
        const last = new Map<string, string>()
        const requests = choices.map((choice, index) => {
          const id = records[choice]?.id ?? ''
          last.set(id, `${marker} ${index}`)
          return update(plain, id, { title: `${marker} ${index}` })
        })
        expectSuccess(await api.batch(requests), 'a batch of updates')
        for (const [n, { id }] of records.entries()) {
          expectEqual(
            recordOf(await api.view(plain, id)).title,
            last.get(id) ?? `${marker} made ${n}`,
            'the title that was sent last',
          )
        }
      },
      { runs: 8 },
    )
    await expectBothApplied(context)
    await expectCreatedUpdated(context)
    await expectCreatedLast(context)
  }),
)

check(
  'batch.url',
  batching(async (context) => {
    const { api, table, make, unique } = context
    const { id } = await make(table('plain'), { title: unique('old') })
    const [fresh, title] = [unique('fresh'), unique('title')]
    const { path } = api
    const requests: SubRequest[] = [
      { method: 'POST', url: path.records(table('plain')), body: { title: fresh } },
      { method: 'PATCH', url: path.record(table('plain'), id), body: { title } },
    ]
    for (const batch of await inBatches(context, requests))
      expectSuccess(await api.batch(batch), 'a batch of record paths')
    expectText(recordOf(await api.view(table('plain'), id)).title, title, 'title after an update by its path')
    expectEqual(
      (await readTable(api, table('plain'), (record) => record.title === fresh)).size,
      1,
      'the records created by the path of the table',
    )
    // A delete, since it has no body with fields that the target may name differently.
    const gone = await make(table('plain'), { title: unique('gone') })
    const byId = tableById(table('plain'), recordOf(await api.view(table('plain'), gone.id)))
    if (!(await api.view(byId, gone.id)).ok)
      throw new BlockedError('the identifier of the table does not lead to its records')
    expectSuccess(
      await api.batch([{ method: 'DELETE', url: path.record(byId, gone.id) }]),
      'a batch of a record path with the identifier of the table',
    )
    expectGone(await api.view(table('plain'), gone.id), gone, 'a view after a delete by that path')
    await expectWrittenByPath(context)
  }),
)

check(
  'batch.body',
  batching(async (context) => {
    const { api, table, make, unique } = context
    const { create, update } = subRequests(api)
    const [first, second] = [unique('first'), unique('second')]
    const { id } = await make(table('plain'), { title: unique('old') })
    const requests = [create(table('plain'), { title: first }), update(table('plain'), id, { title: second })]
    for (const batch of await inBatches(context, requests)) expectSuccess(await api.batch(batch), 'a batch')
    const found = await readTable(api, table('plain'), ({ title }) => title === first || title === second)
    expectEqual(
      [...found.values()].map(({ title }) => title).sort(),
      [first, second].sort(),
      'the titles sent in the bodies',
    )
    expectEqual(found.get(id)?.title, second, 'title of the updated record')
    await expectSignsInAsSent(context)
  }),
)

check(
  'batch.delete-without-body',
  batching(async ({ api, table, make, unique }) => {
    const gone = await make(table('plain'), { title: unique('gone') })
    expectSuccess(
      await api.batch([subRequests(api).remove(table('plain'), gone.id)]),
      'a batch of a delete without a body',
    )
    expectGone(await api.view(table('plain'), gone.id), gone, 'a view of the deleted record')
  }),
)

interface BatchedWrite {
  does: 'create' | 'update' | 'delete'
  /** Chooses one of the records, as any natural number. */
  choice: number
  rank: number
}

const batchedWrite: fc.Arbitrary<BatchedWrite> = fc.record({
  does: fc.constantFrom('create', 'update', 'delete'),
  choice: fc.nat({ max: 3 }),
  // Positive: which other numbers the target takes is left open.
  rank: fc.integer({ min: 1, max: 19 }),
})

/** Updates a record with the values that the target takes, and returns them; undefined if it takes none, or not together. */
async function takenAtOnce(api: Api, table: TableRef, id: string, body: Body): Promise<Body | undefined> {
  const taken = await updateAsTaken(api, table, id, body)
  if (taken.length === Object.keys(body).length) return body
  const sent = Object.fromEntries(Object.entries(body).filter(([field]) => taken.includes(field)))
  return taken.length > 0 && (await api.update(table, id, sent)).ok ? sent : undefined
}

/** Values of all fields, zero and awkward ones among them, are the same after a batch as after the single update. */
async function expectSameValues(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  const everything = table('everything')
  const related = context.hasTable('related')
    ? await make(table('related'), { name: unique('related') })
    : undefined
  const zeros = related === undefined ? withoutFields(emptied, ['relation', 'relations']) : emptied
  // The editor says whose the record is. The table may require a text, too.
  const newRecord = (name: string) => make(everything, { text: unique(name), editor: unique(name) })
  const one = await newRecord('single')
  const other = await newRecord('batched')
  const { text: _, ...cut } = easilyCut
  const nulls = Object.fromEntries(Object.keys(cut).map((field) => [field, null]))
  for (const body of [
    { ...filled(related?.id), ...awkward[0] },
    { ...zeros, ...awkward[2] },
    easilyCut,
    nulls,
  ]) {
    const sent = await takenAtOnce(api, everything, one.id, body)
    if (sent === undefined) continue
    const batch = await api.batch([subRequests(api).update(everything, other.id, sent)])
    // A value may have to be unique: then the same update of the other record is rejected alone as well.
    if (!batch.ok && !(await api.update(everything, other.id, sent)).ok) continue
    expectSuccess(batch, 'a batch of an update that succeeds alone')
    const [single, batched] = [await api.view(everything, one.id), await api.view(everything, other.id)]
    for (const field of Object.keys(sent)) {
      const [alone, within] = [recordOf(single)[field], recordOf(batched)[field]]
      if (!sameShown(field, within, alone)) expectEqual(within, alone, `${field} after a batch`)
    }
    await expectSameCreated(context, sent)
  }
}

interface WrittenTable {
  table: TableRef
  /** What each record needs in addition to a text. */
  usual: Body
  /** What a write sends in addition to a text. */
  fields(write: BatchedWrite): Body
  /** The writes that succeed alone, in addition to creates. */
  accepts: { updates: boolean; deletes: boolean }
}

/** The table of the relation: with a number and a parent, or with one of two parents. */
async function writtenTable(context: CheckContext): Promise<WrittenTable> {
  const { child, parent } = relationOf(context)
  if (child === parent) {
    const { id } = await context.make(parent, { name: context.unique('parent') })
    return {
      table: child,
      usual: { rank: 5 },
      fields: ({ choice, rank }) => ({ rank, ...(choice > 1 && { parent: id }) }),
      accepts: { updates: true, deletes: true },
    }
  }
  const accepts = await possibleWrites(context, 'child')
  const [one, other] = accepts.parents
  return {
    table: child,
    usual: { parent: one },
    fields: ({ does, choice }) =>
      does === 'update' && !accepts.moves ? {} : { parent: choice > 1 ? other : one },
    accepts,
  }
}

/** Sends the writes one by one. */
async function sendAlone(api: Api, table: TableRef, requests: readonly SubRequest[]): Promise<void> {
  for (const { method, url, body = {} } of requests) {
    const id = decodeURIComponent(url.split('/').at(-1) ?? '')
    if (method === 'POST') expectSuccess(await api.create(table, body), 'a create')
    else if (method === 'PATCH') expectSuccess(await api.update(table, id, body), 'an update')
    else expectSuccess(await api.delete(table, id), 'a delete')
  }
}

check(
  'batch.same-as-single',
  batching(async (context) => {
    const { api, makeMany, unique } = context
    if (context.hasTable('everything')) {
      await expectSameValues(context)
      await expectLongEntries(context)
    }
    const { create, update, remove } = subRequests(api)
    const { table, usual, fields, accepts } = await writtenTable(context)
    const once = !(await takesRepeats(context))
    const most = await mostEntries(context)
    /** What is there after the writes. */
    const outcomeOf = async (writes: readonly BatchedWrite[], send: (all: SubRequest[]) => Promise<void>) => {
      const marker = unique('same')
      const bodies = ['a', 'b', 'c'].map((letter) => ({ name: `${marker} ${letter}`, ...usual }))
      const alive = (await makeMany(table, bodies)).map(({ id }) => id)
      const requests = writes.map((write, index) => {
        const at = write.choice % Math.max(1, alive.length)
        const id = alive[at]
        const isAccepted = write.does === 'update' ? accepts.updates : accepts.deletes
        const does = id === undefined || !isAccepted ? 'create' : write.does
        const body = { name: `${marker} ${index}`, ...fields({ ...write, does }) }
        if (id === undefined || does === 'create') return create(table, body)
        if (does === 'delete' || once) alive.splice(at, 1)
        return does === 'update' ? update(table, id, body) : remove(table, id)
      })
      await send(requests)
      const left = await readTable(api, table, ({ name }) => String(name).startsWith(marker))
      return [...left.values()]
        .map(({ name, rank, parent }) => [String(name).slice(marker.length), rank, parent])
        .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
    }
    await context.property(
      [fc.array(batchedWrite, { minLength: Math.min(2, most), maxLength: most })],
      async (writes) => {
        const batched = await outcomeOf(writes, async (all) =>
          expectSuccess(await api.batch(all), 'the batch'),
        )
        const alone = await outcomeOf(writes, (all) => sendAlone(api, table, all))
        expectEqual(batched, alone, 'the records after the batch, compared with the same writes one by one')
      },
      // An update that moves a record to another parent, if any does.
      {
        runs: 8,
        examples: context.hasTable('related') ? [] : [[[{ does: 'update', choice: 2, rank: 1 }]]],
      },
    )
  }),
)
