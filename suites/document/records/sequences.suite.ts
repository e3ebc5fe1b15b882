/** Sequences of writes by every client, by both names of a table, alone and in batches (document 1, 4.1, 5). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { allCallers } from '../../shared/auth/all-callers.ts'
import { idsOf } from '../../shared/lists/shared-records.ts'
import { tableByIdIfKnown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { givenIds } from '../batch/given-ids.ts'
import {
  type Scene,
  type WriteAct,
  WriteSequence,
  type WriteStep,
  type WrittenField,
} from './write-sequence.ts'

const two: WrittenField[] = ['text', 'rank']
const all: WrittenField[] = ['text', 'rank', 'parent']

/**
 * Each kind of write once, alone and in a batch. Things that a table may not allow in a batch are in separate batches:
 * a rejection would hide the rest.
 */
const tour: readonly Omit<WriteAct, 'caller' | 'byId'>[] = [
  {
    sent: 'alone',
    steps: [
      { does: 'create', sends: two, chosen: false },
      { does: 'create', sends: all, chosen: true },
      { does: 'update', on: 0, sends: all },
      { does: 'update', on: 0, sends: ['rank', 'parent'] },
    ],
  },
  {
    sent: 'batch',
    steps: [
      { does: 'create', sends: two, chosen: false },
      { does: 'update', on: 0, sends: two },
    ],
  },
  {
    sent: 'batch',
    steps: [
      { does: 'update', on: 0, sends: ['rank'] },
      { does: 'update', on: 0, sends: ['text'] },
    ],
  },
  {
    sent: 'batch',
    steps: [
      { does: 'create', sends: two, chosen: true },
      { does: 'update', on: 3, sends: ['text'] },
    ],
  },
  { sent: 'alone', steps: [2, 3].map((on) => ({ does: 'update', on, sends: two })) },
  {
    sent: 'failing',
    steps: [
      { does: 'create', sends: two, chosen: false },
      { does: 'update', on: 0, sends: two },
      { does: 'delete', on: 1 },
    ],
  },
  {
    sent: 'alone',
    steps: [
      { does: 'delete', on: 1 },
      { does: 'again', on: 0, sends: two },
    ],
  },
  {
    sent: 'batch',
    steps: [
      { does: 'delete', on: 1 },
      { does: 'again', on: 0, sends: two },
    ],
  },
  { sent: 'alone', steps: [0, 0, 0, 0].map((on) => ({ does: 'delete', on })) },
]

const sends = fc.subarray(all)
const on = fc.nat({ max: 5 })
const step: fc.Arbitrary<WriteStep> = fc.oneof(
  fc.record({ does: fc.constant('create' as const), sends, chosen: fc.boolean() }),
  fc.record({ does: fc.constant('update' as const), on, sends: fc.subarray(all, { minLength: 1 }) }),
  fc.record({ does: fc.constant('delete' as const), on }),
  fc.record({ does: fc.constant('again' as const), on, sends }),
)
const act: fc.Arbitrary<WriteAct> = fc.record({
  caller: fc.nat({ max: 11 }),
  byId: fc.boolean(),
  sent: fc.constantFrom('alone', 'batch', 'failing'),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
})

/** In `related` or, if the target has no such table, in `plain` with nothing but a text. */
async function sceneOf(context: CheckContext): Promise<Scene> {
  const { api, hasTable, makeMany, table, unique } = context
  const isRelated = hasTable('related')
  const written = table(isRelated ? 'related' : 'plain')
  const names = isRelated ? { text: 'name', rank: 'rank', parent: 'parent' } : { text: 'title' }
  const made = await makeMany(written, [
    { [names.text]: unique('parent') },
    { [names.text]: unique('parent') },
  ])
  return {
    context,
    // Where someone stands in for guests, a client may see nothing but what it has written itself.
    callers: written.as === undefined ? await allCallers(context, written) : [{ who: 'a guest', api }],
    table: written,
    names,
    byId: await tableByIdIfKnown(context, written, made[0]),
    parents: isRelated ? idsOf(made) : [],
    newId: await unlessPrevented(() => givenIds(context, written, names.text)),
  }
}

check('record.sequences', async (context) => {
  const scene = await sceneOf(context)
  const judge = async (acts: WriteAct[]) => {
    const sequence = new WriteSequence(scene)
    for (const each of acts) await sequence.perform(each)
  }
  const acts = fc.array(act, { minLength: 1, maxLength: 2 * tour.length, size: 'small' })
  for (const caller of scene.callers.keys()) {
    // By the name first: it shows what the client may do.
    const whole = [false, true].flatMap((byId) => tour.map((part): WriteAct => ({ ...part, caller, byId })))
    await context.property([acts], judge, { runs: 1, examples: [[whole]] })
  }
  await context.property([acts], judge, { runs: 5 })
})
