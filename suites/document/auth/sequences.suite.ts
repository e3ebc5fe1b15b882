/** Sequences of sign-ins, and of everything that begins or ends a session according to the document (4.2, 5). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import {
  accountCommands,
  beginOtherwise,
  beginWithKey,
  expectModel,
  offeredBy,
  otherCommands,
} from './account-commands.ts'
import { SequenceModel } from './sequence-model.ts'

check('auth.sequences', async (context) => {
  const { replayPath } = context
  const offered = await offeredBy(context)
  for (const [commands, begin, runs] of [
    [accountCommands(offered), beginWithKey, 6],
    [otherCommands(offered), beginOtherwise, 5],
  ] as const)
    await context.property(
      [
        fc.commands(commands, {
          maxCommands: 16,
          size: 'max',
          replayPath,
        }),
      ],
      async (sequence) => {
        const model = new SequenceModel()
        await begin(model, context, offered)
        await fc.asyncModelRun(() => ({ model, real: context }), sequence)
        await expectModel(model, context)
      },
      { runs },
    )
})
