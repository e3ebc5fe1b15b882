/** All or nothing: what the document says of batches, judged by what can be read before, meanwhile and afterwards. */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { BlockedError, expectEqual, expectRefusal, expectSuccess, expectThat } from '../../harness/expect.ts'
import type { CheckContext, WireRecord } from '../../harness/vocabulary.ts'
import { expectNone } from '../records/commands.ts'
import { newId } from '../records/new-id.ts'
import { readTable } from '../records/read-table.ts'
import { differsAfterUpdate, differsAtAll } from '../records/record-model.ts'
import { listOf, recordOf } from '../records/record-of.ts'
import { subRequests } from './entries.ts'
import {
  type Effects,
  type Failing,
  failingRequest,
  makeWorld,
  planSteps,
  type Snapshot,
  STEP_ROLES,
  type Step,
  snapshot,
} from './world.ts'

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('create', 'update', 'delete'),
  role: fc.constantFrom(...STEP_ROLES),
  choice: fc.nat({ max: 3 }),
  number: fc.integer({ min: 1, max: 99 }),
})
const steps = fc.array(step, { minLength: 1, maxLength: 6 })
const failing = fc.constantFrom<Failing>(
  'update-missing',
  'delete-missing',
  'unknown-table',
  'taken-value',
  'delete-twice',
)

/** A record that others refer to: what its delete does to them is the profile's business. */
const isParent = (before: Snapshot) => (key: string) =>
  String(before.get(key)?.title ?? '').endsWith('parent')

function expectSame(after: Snapshot, before: Snapshot): void {
  expectEqual([...after.keys()].sort(), [...before.keys()].sort(), 'the records after a batch that failed')
  for (const [key, record] of before)
    expectNone(differsAtAll(after.get(key) ?? record, record), `of ${key} after a batch that failed`)
}

function expectEffects(after: Snapshot, before: Snapshot, { created, updated, deleted }: Effects): void {
  const fresh = [...after].filter(([key]) => !before.has(key))
  expectEqual(fresh.length, created.size, 'the number of records that the batch created')
  for (const [key, record] of fresh) {
    const text = record.title ?? record.label ?? record.code ?? record.text
    const fields = created.get(`${key.split('/')[0]}/${text}`)
    expectThat(fields !== undefined, 'the batch created a record that it was not asked for', '', record)
    expectNone(differsAfterUpdate({ ...record, ...fields }, record, {}), `of the created ${key}`)
  }
  for (const [key, record] of before) {
    const now = after.get(key)
    expectEqual(now === undefined, deleted.has(key), `whether ${key} is gone`)
    if (now === undefined) continue
    const sent = updated.get(key)
    expectNone(
      sent === undefined ? differsAtAll(now, record) : differsAfterUpdate(now, record, sent),
      `of ${key} after the batch`,
    )
  }
}

check('batch.all-or-nothing', async (context) => {
  const { api, unique } = context
  await context.property([steps, fc.option(fc.tuple(failing, fc.nat({ max: 6 })))], async (does, fails) => {
    const marker = unique('batch')
    await makeWorld(context, marker)
    const before = await snapshot(context, api, marker)
    const effects = planSteps(context, does, before, marker, fails === null ? isParent(before) : () => false)
    const requests = [...effects.requests]
    if (fails !== null)
      requests.splice(fails[1] % (requests.length + 1), 0, ...failingRequest(context, fails[0], marker))
    const reply = await api.batch(requests)
    const after = await snapshot(context, api, marker)
    if (fails === null) {
      expectSuccess(reply, 'a batch without a failing sub-request')
      expectEffects(after, before, effects)
    } else {
      expectRefusal(reply, `a batch with a failing sub-request (${fails[0]})`)
      expectSame(after, before)
    }
  })
})

check('batch.mixes-methods', async ({ api, table, make, unique }) => {
  const { create, update, remove } = subRequests(api)
  const plain = table('plain')
  const [changed, gone] = [
    await make(plain, { title: unique('old') }),
    await make(plain, { title: unique('gone') }),
  ]
  const [fresh, title] = [unique('fresh'), unique('new')]
  expectSuccess(
    await api.batch([
      remove(plain, gone.id),
      create(plain, { title: fresh }),
      update(plain, changed.id, { title }),
    ]),
    'a mixed batch',
  )
  expectEqual(recordOf(await api.view(plain, changed.id)).title, title, 'title of the updated record')
  expectRefusal(await api.view(plain, gone.id), 'a view of the deleted record')
  const created = await readTable(api, plain, (record) => record.title === fresh)
  expectEqual(created.size, 1, 'the number of created records')
})

check('batch.parent-with-children', async (context) => {
  const { api, table, unique } = context
  const related = table('related')
  const { create } = subRequests(api)
  await context.property(
    [fc.integer({ min: 1, max: 8 }), fc.option(fc.nat({ max: 8 }))],
    async (children, failsAt) => {
      const marker = unique('family')
      const parent = newId(unique)
      const family = Array.from({ length: children }, (_, n) =>
        create(related, { name: `${marker} child ${n}`, parent }),
      )
      const requests = [create(related, { id: parent, name: `${marker} parent` }), ...family]
      if (failsAt !== null) {
        requests.splice(1 + (failsAt % requests.length), 0, {
          ...create(related, {}),
          url: api.path.records('conf_no_such_table'),
        })
      }
      const reply = await api.batch(requests)
      const found = await readTable(api, related, ({ name }) => String(name).startsWith(marker))
      if (failsAt !== null) {
        expectRefusal(reply, 'a batch with a failing child')
        expectEqual(
          [...found.values()].map(({ name }) => name),
          [],
          'what is left of a family that could not be created together',
        )
        return
      }
      expectSuccess(reply, 'a batch of a parent with its children')
      expectEqual(found.size, children + 1, 'the size of the family')
      const born = [...found.values()].filter(({ name }) => String(name).includes('child'))
      for (const child of born) expectEqual(child.parent, parent, 'the parent of a child')
      expectThat(found.has(parent), 'the parent was not created with its id', parent, [...found.keys()])
    },
  )
})

check('batch.order', async (context) => {
  const { api, table, unique } = context
  const { update } = subRequests(api)
  await context.property([fc.array(fc.nat({ max: 3 }), { minLength: 2, maxLength: 8 })], async (choices) => {
    const marker = unique('order')
    const records: WireRecord[] = []
    for (let n = 0; n < 4; n += 1) records.push(await context.make(table('plain'), { title: marker }))
    const last = new Map<string, string>()
    const requests = choices.map((choice, index) => {
      const { id } = records[choice] as WireRecord
      last.set(id, `${marker} ${index}`)
      return update(table('plain'), id, { title: `${marker} ${index}` })
    })
    expectSuccess(await api.batch(requests), 'a batch of updates')
    for (const { id } of records) {
      expectEqual(
        recordOf(await api.view(table('plain'), id)).title,
        last.get(id) ?? marker,
        'the title that was sent last',
      )
    }
  })
})

/** Titles of the marked records as one list request sees them. */
async function titlesSeen({ api, table }: CheckContext, marker: string): Promise<string[]> {
  const { items } = listOf(await api.list(table('plain'), { perPage: 100, filter: `title ~ "${marker}"` }))
  return items.map(({ title }) => String(title)).sort()
}

check('batch.isolation', async (context) => {
  const { api, table, make, unique } = context
  const { create, update, remove } = subRequests(api)
  const plain = table('plain')
  const marker = unique('readers').replace(/[%_\\]/g, '')
  for (let n = 0; n < 12; n += 1) await make(plain, { title: `${marker} 0` })
  let now = await readTable(api, plain, ({ title }) => String(title).startsWith(marker))
  if ((await titlesSeen(context, marker)).length !== now.size)
    throw new BlockedError('The list filtered by the marker does not give the marked records.')
  for (let round = 1; round <= 6; round += 1) {
    const [first = '', ...others] = [...now.keys()]
    const fails = round % 3 === 0
    const title = `${marker} ${round}`
    const requests = [
      ...others.map((id) => update(plain, id, { title })),
      remove(plain, first),
      create(plain, { title }),
      ...(fails ? [update(plain, 'nosuchrecord123', { title })] : []),
    ]
    const old = [...now.values()].map((record) => String(record.title)).sort()
    const fresh = fails ? old : Array.from({ length: now.size }, () => title)
    let running = true
    const batch = api.batch(requests).finally(() => {
      running = false
    })
    const reader = async () => {
      while (running) {
        const seen = await titlesSeen(context, marker)
        const whole = [old, fresh].some((state) => JSON.stringify(state) === JSON.stringify(seen))
        expectThat(whole, 'a reader saw half of a batch', 'all records before it or all after it', seen)
      }
    }
    const outcomes = await Promise.allSettled([batch, reader(), reader(), reader()])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    const reply = await batch
    expectEqual(reply.ok, !fails, `whether the batch of round ${round} succeeded`)
    now = await readTable(api, plain, (record) => String(record.title).startsWith(marker))
    expectEqual(
      [...now.values()].map((record) => String(record.title)).sort(),
      fresh,
      'the titles after the batch',
    )
  }
})
