/** All or nothing: batches, judged by the records before and after them (document 4.1, 2.6). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import {
  BlockedError,
  expectEqual,
  expectNoSuccess,
  expectSuccess,
  expectThat,
  isRejected,
} from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { batching } from '../../shared/batch/batching.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { MANY_ENTRIES, manyEntries, mostEntries, severalEntries } from '../../shared/batch/most-entries.ts'
import { tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { expectNone } from '../records/commands.ts'
import { differsAfterUpdate, differsAtAll, differsFromBody } from '../records/table-model.ts'
import {
  type BatchSnapshot,
  type BatchWorld,
  type Effects,
  FAILURES,
  type Failing,
  failingRequests,
  makePlainWorld,
  plainWorld,
  planSteps,
  type Role,
  type Step,
  snapshot,
  waysToFail,
  wideRoles,
  wideWorld,
} from './batch-steps.ts'
import { expectAccountsTogether } from './expect-accounts-together.ts'
import { expectApart } from './expect-apart.ts'
import { expectCallersTogether } from './expect-callers-together.ts'
import { expectLongTogether, expectLongWhole } from './expect-long-together.ts'
import { expectNoTraces } from './expect-no-traces.ts'
import { expectRestored } from './expect-restored.ts'
import { expectTotalKept } from './expect-total-kept.ts'
import { expectTwins } from './expect-twins.ts'
import { expectForbiddenTogether } from './forbidden.ts'
import { pairWorld } from './pair-world.ts'
import { takesRepeats } from './takes-repeats.ts'

const stepsOn = (roles: readonly Role[], most: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      does: fc.constantFrom('create', 'update', 'delete'),
      role: fc.constantFrom(...roles),
      choice: fc.nat({ max: 3 }),
      number: fc.integer({ min: 1, max: 99 }),
    }),
    { minLength: 1, maxLength: most },
  )

/** The position of a failing sub-request, modulo the length, and why it fails. */
const failureAmong = (kinds: readonly Failing[]) =>
  fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat({ max: MANY_ENTRIES }) })

const PLAIN_FAILURES = FAILURES.filter((kind) => kind !== 'taken-value')

/** Steps of a large batch: of each kind, on each of the roles. */
function manySteps(roles: readonly Role[], count: number): Step[] {
  const does = ['create', 'update', 'delete', 'create'] as const
  return Array.from({ length: count }, (_, at) => ({
    does: does[at % does.length] ?? 'create',
    role: roles[at % roles.length] ?? 'plain',
    choice: at % 4,
    number: at + 1,
  }))
}

/** A record that others refer to: what its delete does to them is the profile's business. */
const isParent = (before: BatchSnapshot) => (key: string) =>
  String(before.get(key)?.title ?? '').endsWith('parent')

function expectSame(after: BatchSnapshot, before: BatchSnapshot): void {
  expectEqual([...after.keys()].sort(), [...before.keys()].sort(), 'the records after a batch that failed')
  for (const [key, record] of before) {
    expectNone(differsAtAll(after.get(key) ?? record, record), `of ${key} after a batch that failed`)
  }
}

function expectEffects(
  after: BatchSnapshot,
  before: BatchSnapshot,
  { created, updated, deleted }: Effects,
): void {
  const fieldsOf = (key: string, { title, label, code, text, name }: WireRecord) =>
    created.get(`${key.split('/')[0]}/${title ?? label ?? code ?? text ?? name}`)
  // A create may get the id of a record that the batch deleted before it.
  const isFresh = (key: string, record: WireRecord) =>
    !before.has(key) || (deleted.has(key) && fieldsOf(key, record) !== undefined)
  const fresh = [...after].filter(([key, record]) => isFresh(key, record))
  expectEqual(fresh.length, created.size, 'the number of records that the batch created')
  for (const [key, record] of fresh) {
    const fields = fieldsOf(key, record)
    expectThat(
      fields !== undefined,
      'the batch created a record that none of its sub-requests describes',
      'only what the sub-requests sent',
      record,
    )
    expectNone(differsFromBody(record, fields), `of the created ${key}`)
  }
  for (const [key, record] of before) {
    const now = after.get(key)
    const isGone = now === undefined || isFresh(key, now)
    expectEqual(isGone, deleted.has(key), `whether ${key} is gone`)
    if (isGone) continue
    const sent = updated.get(key)
    expectNone(
      sent === undefined ? differsAtAll(now, record) : differsAfterUpdate(now, record, sent),
      `of ${key} after the batch`,
    )
  }
}

/**
 * Sends the steps, with or without a failing one, and compares the world before and after. The failing step replaces
 * the last steps if the batch would otherwise be too long.
 */
async function runBatch(
  context: CheckContext,
  world: BatchWorld,
  most: number,
  steps: readonly Step[],
  fails: { kind: Failing; at: number } | null,
): Promise<void> {
  const { api, unique } = context
  const { roles } = world
  const marker = unique('batch')
  await world.make(context, marker)
  const before = await snapshot(context, roles, marker)
  const failing = fails === null ? [] : failingRequests(context, fails.kind, marker)
  const done = steps.slice(0, most - failing.length)
  const spare = fails === null ? isParent(before) : () => false
  const effects = planSteps(context, done, before, marker, {
    spare,
    once: !(await takesRepeats(context)),
    world,
  })
  const requests = [...effects.requests]
  if (fails !== null) requests.splice(fails.at % (requests.length + 1), 0, ...failing)
  const response = await api.batch(requests)
  const after = await snapshot(context, roles, marker)
  if (fails === null) {
    if (isRejected(response)) await expectAcceptedAlone(context, effects)
    expectSuccess(response, 'a batch without a failing sub-request')
    expectEffects(after, before, effects)
  } else expectSame(after, before)
}

/** Paths may name a table by its identifier (document, section 1): what such a batch has done is undone as well. */
async function expectTogetherById(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const marker = unique('batch')
  await makePlainWorld(context, marker)
  const before = await snapshot(context, ['plain'], marker)
  const [record] = before.values()
  const byId = record && tableByIdIfShown(table('plain'), record)
  if (record === undefined || byId === undefined) return
  const { create, update } = subRequests(api)
  for (const write of [
    update(byId, record.id, { title: `${marker} changed` }),
    create(byId, { title: `${marker} created` }),
  ]) {
    await api.batch([write, ...failingRequests(context, 'update-missing', marker)])
    expectSame(await snapshot(context, ['plain'], marker), before)
  }
}

/**
 * Which values a field accepts is left open.
 *
 * @throws BlockedError if a write of the batch is rejected on its own, too
 */
async function expectAcceptedAlone(
  { api, table }: CheckContext,
  { created, updated }: Effects,
): Promise<void> {
  const placeOf = (key: string) => ({
    table: table(key.slice(0, key.indexOf('/'))),
    id: key.slice(key.indexOf('/') + 1),
  })
  for (const [writes, send] of [
    [created, (key: string, fields: Body) => api.create(placeOf(key).table, fields)],
    [updated, (key: string, fields: Body) => api.update(placeOf(key).table, placeOf(key).id, fields)],
  ] as const)
    for (const [key, fields] of writes) {
      const response = await send(key, fields)
      if (isRejected(response))
        throw new BlockedError(
          `a write of the batch is rejected on its own, too: ${responseSummary(response)}`,
        )
    }
}

check(
  'batch.all-or-nothing',
  batching(async (context) => {
    await expectForbiddenTogether(context)
    await expectLongTogether(context)
    await expectCallersTogether(context)
    await expectAccountsTogether(context)
    await expectTotalKept(context)
    await expectNoTraces(context)
    await expectRestored(context)
    const [most, many] = [await severalEntries(context), await manyEntries(context)]
    const kinds = await waysToFail(context, PLAIN_FAILURES)
    // Each way to fail once, at the end of a large batch.
    const examples = [...new Set(kinds)].map((kind): [Step[], { kind: Failing; at: number }] => [
      manySteps(plainWorld.roles, many - 1),
      { kind, at: many - 1 },
    ])
    await context.property(
      [stepsOn(plainWorld.roles, most), failureAmong(kinds)],
      (steps, fails) => runBatch(context, plainWorld, many, steps, fails),
      { examples },
    )
    if ((await mostEntries(context)) > 1) await expectTogetherById(context)
    await expectApart(context, true)
  }),
)

check(
  'batch.succeeds-together',
  batching(async (context) => {
    const [most, many] = [await severalEntries(context), await manyEntries(context)]
    await context.property(
      [stepsOn(plainWorld.roles, most)],
      (steps) => runBatch(context, plainWorld, many, steps, null),
      { runs: 10, examples: [[manySteps(plainWorld.roles, many)]] },
    )
    await expectTwins(context)
    await expectLongWhole(context)
    await expectApart(context, false)
  }),
)

check(
  'batch.across-tables',
  batching(async (context) => {
    const [most, many] = [await severalEntries(context), await manyEntries(context)]
    const isWide = wideRoles.every(context.hasTable)
    const world = isWide ? await wideWorld(context) : await pairWorld(context)
    const kinds = await waysToFail(context, isWide ? FAILURES : PLAIN_FAILURES)
    const whole = manySteps(world.roles, many)
    await context.property(
      [stepsOn(world.roles, most), fc.option(failureAmong(kinds))],
      (steps, fails) => runBatch(context, world, many, steps, fails),
      {
        runs: 10,
        examples: [
          [whole, null],
          [whole.slice(1), { kind: 'update-missing', at: many - 1 }],
        ],
      },
    )
  }),
)

check(
  'batch.failure-refused',
  batching(async (context) => {
    const { api, table, rejects, unique } = context
    const { create } = subRequests(api)
    const most = await mostEntries(context)
    for (const kind of new Set(await waysToFail(context, PLAIN_FAILURES))) {
      for (const before of new Set([0, Math.min(2, most - 1)])) {
        const good = Array.from({ length: before + 1 }, () =>
          create(table('plain'), { title: unique('title') }),
        )
        const bad = [...good.slice(1), ...failingRequests(context, kind, unique('fails'))]
        const response = await rejects({ control: () => api.batch(good), attempt: () => api.batch(bad) })
        expectNoSuccess(response, `a batch that fails by ${kind}`)
      }
    }
  }),
)
