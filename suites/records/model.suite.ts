/** Sequences of operations on a table with all field types, judged by a model (document 2.1, 2.3, 4.1). */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectSuccess } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { expectListed, expectNone, recordCommands } from './commands.ts'
import { uploads } from './forms.ts'
import { differsAfterUpdate, TableModel } from './record-model.ts'
import { recordOf } from './record-of.ts'
import { bodies } from './wire-values.ts'

/** Ids that relation fields of the examples may hold. */
async function relatedIds({ makeMany, table, unique }: CheckContext): Promise<string[]> {
  const made = await makeMany(
    table('related'),
    [1, 2, 3].map((n) => ({ name: unique(`related${n}`) })),
  )
  return made.map(({ id }) => id)
}

check('field-types.keep-values', async (context) => {
  const { api, property, replayPath } = context
  const table = context.table('everything')
  const commands = fc.commands(recordCommands(await relatedIds(context)), {
    maxCommands: 10,
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  await property([commands], async (sequence) => {
    const model = new TableModel()
    await fc.asyncModelRun(() => ({ model, real: { api, table } }), sequence)
    await expectListed(model, api, table)
  })
})

check('update.changes-only-sent', async (context) => {
  const { api } = context
  const table = context.table('everything')
  const body = bodies(await relatedIds(context))
  await context.property([body, fc.array(body, { minLength: 1, maxLength: 3 })], async (first, updates) => {
    const { id } = recordOf(await api.create(table, first))
    await api.update(table, id, uploads())
    let before = recordOf(await api.view(table, id))
    for (const sent of updates) {
      expectSuccess(await api.update(table, before.id, sent), 'an update')
      const after = recordOf(await api.view(table, before.id))
      // How a value reads that was sent is the matter of other requirements.
      const shown = Object.fromEntries(Object.keys(sent).map((field) => [field, after[field]]))
      expectNone(
        differsAfterUpdate(after, before, shown),
        `after an update with ${Object.keys(sent).join(', ') || 'nothing'}`,
      )
      before = after
    }
  })
})
