/** Sequences of sign-ins and of all that begins and ends sessions, as far as the document speaks of them (4.2, 5). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { begin, expectModel, offeredBy, sequenceCommands } from './sequence-commands.ts'
import { SequenceModel } from './sequence-model.ts'

check('auth.sequences', async (context) => {
  const { replayPath } = context
  const offered = await offeredBy(context)
  const commands = fc.commands(sequenceCommands(offered), {
    maxCommands: 16,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  await context.property(
    [commands],
    async (sequence) => {
      const model = new SequenceModel()
      await begin(model, context, offered)
      await fc.asyncModelRun(() => ({ model, real: context }), sequence)
      await expectModel(model, context)
    },
    { runs: 10 },
  )
})
