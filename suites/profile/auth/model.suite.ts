/** Sequences of everything that begins and ends sessions, judged by a model (standard profile, gap `tokens.lifetime`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { AuthModel } from '../../shared/auth/auth-model.ts'
import { expectKeys, offersKeys } from '../../shared/auth/key-commands.ts'
import { offersProvider } from '../../shared/auth/sign-in-by-provider.ts'
import { authCommands, beginning, expectSessions } from './auth-commands.ts'

check('auth-flow.live-tokens', async (context) => {
  const { replayPath, clock } = context
  const offered = {
    time: clock.offered,
    keys: await offersKeys(context),
    provider: offersProvider(context),
  }
  const commands = fc.commands(authCommands(offered), {
    maxCommands: 24,
    size: 'max',
    replayPath,
  })
  await context.property(
    [commands],
    async (sequence) => {
      const model = new AuthModel()
      for (const begin of beginning(offered)) await begin.run(model, context)
      await fc.asyncModelRun(() => ({ model, real: context }), sequence)
      await expectSessions(model, context)
      await expectKeys(model, context)
    },
    { runs: 12 },
  )
})
