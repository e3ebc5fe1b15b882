/** Sequences of operations on a table with all field types, judged by a model (document 2.1, 2.3, 4.1). */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { BlockedError, expectSuccess, isRefused } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { expectListed, expectNone, recordCommands } from './commands.ts'
import { uploads } from './forms.ts'
import { differsAtAll, differsElsewhere, TableModel } from './record-model.ts'
import { createdIdOf, recordOf } from './record-of.ts'
import { bodies } from './wire-values.ts'

/** Ids that relation fields of the examples may hold. */
async function relatedIds({ makeMany, table, unique }: CheckContext): Promise<string[]> {
  const made = await makeMany(
    table('related'),
    [1, 2, 3].map((n) => ({ name: unique(`related${n}`) })),
  )
  return made.map(({ id }) => id)
}

/** The positive control of claims about what a target takes. */
function countsAccepted() {
  let count = 0
  return {
    accepted: () => {
      count += 1
    },
    expectSome() {
      if (count === 0) throw new BlockedError('no record with values of any field could be created')
    },
  }
}

check('field-types.keep-values', async (context) => {
  const { api, property, replayPath } = context
  const table = context.table('everything')
  const { accepted, expectSome } = countsAccepted()
  const commands = fc.commands(recordCommands(await relatedIds(context)), {
    maxCommands: 10,
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  await property([commands], async (sequence) => {
    const model = new TableModel()
    await fc.asyncModelRun(() => ({ model, real: { api, table, accepted } }), sequence)
    await expectListed(model, api, table)
  })
  expectSome()
})

check('update.changes-only-sent', async (context) => {
  const { api } = context
  const table = context.table('everything')
  const { accepted, expectSome } = countsAccepted()
  const body = bodies(await relatedIds(context))
  await context.property([body, fc.array(body, { minLength: 1, maxLength: 3 })], async (first, updates) => {
    const created = await api.create(table, first)
    if (isRefused(created)) return
    const id = createdIdOf(created)
    await api.update(table, id, uploads())
    let before = recordOf(await api.view(table, id))
    for (const sent of updates) {
      const reply = await api.update(table, id, sent)
      const after = recordOf(await api.view(table, id))
      const names = Object.keys(sent)
      if (isRefused(reply)) expectNone(differsAtAll(after, before), 'after an update that was refused')
      else {
        expectSuccess(reply, 'an update')
        expectNone(
          differsElsewhere(after, before, names),
          `after an update with ${names.join(', ') || 'nothing'}`,
        )
        accepted()
      }
      before = after
    }
  })
  expectSome()
})
