/** Sequences of operations on a table with all field types, judged by a model (document 2.1, 2.3, 4.1). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { BlockedError, expectSuccess, isRejected } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { uploads } from '../../shared/records/forms.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { expectAwkward, expectFilesEmptied, expectLong, expectZeroed } from './awkward.ts'
import { Create, expectListed, expectNone, recordCommands } from './commands.ts'
import { expectAccountKept } from './expect-account-kept.ts'
import { expectRelationKept } from './expect-child-updated.ts'
import { expectTitleKept } from './expect-title-kept.ts'
import { differsAtAll, differsElsewhere, TableModel } from './table-model.ts'
import { lackingFields, unshownFields } from './unknown-fields.ts'
import { bodies, marked, markField, unmarked, withoutFields } from './values-of.ts'

/** Ids that relation fields of the examples may hold; none where the target has no table for them. */
async function relatedIds({ hasTable, makeMany, table, unique }: CheckContext, count = 3): Promise<string[]> {
  if (!hasTable('related')) return []
  const made = await makeMany(
    table('related'),
    Array.from({ length: count }, (_, at) => ({ name: unique(`related${at + 1}`) })),
  )
  return made.map(({ id }) => id)
}

/** Bodies with any selection of the fields that the table has. */
async function knownBodies(context: CheckContext, related: readonly string[]) {
  const lacking = await (context.hasTable('related') ? lackingFields(context) : unshownFields(context))
  return {
    body: bodies(related).map((body) => withoutFields(body, lacking)),
    mark: lacking.includes('editor') ? fc.constant('text' as const) : markField,
  }
}

/** The precondition of claims about what a target accepts. */
function countsAccepted() {
  let count = 0
  return {
    accepted: () => {
      count += 1
    },
    anyAccepted: () => count > 0,
    expectSome() {
      if (count === 0) throw new BlockedError('no record with values of any field could be created')
    },
  }
}

check('field-types.keep-values', async (context) => {
  const { api, property, replayPath, created, unique } = context
  const table = context.table('everything')
  const { accepted, anyAccepted, expectSome } = countsAccepted()
  const related = await relatedIds(context, 5)
  const { body, mark } = await knownBodies(context, related)
  await expectZeroed(context, related[0])
  await expectAwkward(context, related)
  await expectFilesEmptied(context)
  const commands = fc.commands(recordCommands(body), {
    maxCommands: 10,
    replayPath,
  })
  await property(
    [mark, body, commands],
    async (field, first, sequence) => {
      const model = new TableModel()
      const real = { api, table, accepted, anyAccepted, created, unique, markField: field }
      // Of few examples, none may create anything alone.
      await new Create(first).run(model, real)
      await fc.asyncModelRun(() => ({ model, real }), sequence)
      await expectListed(model, api, table)
    },
    { runs: 16 },
  )
  expectSome()
  // Last: as long as the record exists, lists of the table are just as long.
  await expectLong(context)
})

check('update.changes-only-sent', async (context) => {
  await expectTitleKept(context)
  await expectAccountKept(context)
  await expectRelationKept(context)
  if (!context.hasTable('everything')) return
  const { api, unique } = context
  const hasAll = context.hasTable('related')
  const table = context.table('everything')
  const { accepted, anyAccepted, expectSome } = countsAccepted()
  const related = await relatedIds(context)
  const { body, mark } = await knownBodies(context, related)
  await context.property(
    [mark, body, fc.array(body, { minLength: 1, maxLength: 3 })],
    async (given, first, updates) => {
      let [field, created] = [given, await api.create(table, marked(first, given, unique('whole')))]
      // A value of a form that the target does not know may have been enough. It may also take no HTML.
      for (const each of [given, 'text'] as const) {
        if (!isRejected(created)) break
        field = each
        created = await api.create(table, marked({}, each, unique('taken')))
      }
      // Which strings the only field of a smaller table accepts is left open.
      if (isRejected(created) && !hasAll) return
      const id = await createdIn(context, table, created)
      await api.update(table, id, uploads())
      let before = recordOf(await api.view(table, id))
      const queue = updates.map((sent) => unmarked(sent, field))
      for (const sent of queue) {
        const response = await api.update(table, id, sent)
        const after = recordOf(await api.view(table, id))
        const names = Object.keys(sent)
        if (isRejected(response)) {
          expectNone(differsAtAll(after, before), 'after an update that was rejected')
          if (names.length > 1 && !anyAccepted())
            for (const [name, value] of Object.entries(sent)) queue.push({ [name]: value })
        } else {
          expectSuccess(response, 'an update')
          expectNone(
            differsElsewhere(after, before, names),
            `after an update with ${names.join(', ') || 'nothing'}`,
          )
          accepted()
        }
        before = after
      }
    },
    { runs: 16 },
  )
  // A smaller table may accept none of these values, and the parts before have been judged.
  if (hasAll) expectSome()
})
