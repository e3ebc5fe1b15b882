/**
 * API keys as commands of the model: nothing that happens to accounts and sessions touches them, and their end touches
 * nothing else.
 *
 * @module
 */

import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ApiKey } from '../../../harness/vocabulary/target.ts'
import { pick } from '../pick.ts'
import { unlessUntestable } from '../unless-prevented.ts'
import { type CommandAct, command, expectOutcome } from './auth-command.ts'
import type { AuthModel } from './auth-model.ts'

/** A key that may list the table, which is closed to everyone else. */
function makeKey(context: CheckContext): Promise<ApiKey> {
  return context.apiKeys.make({ tables: [context.table('locked')], actions: ['list'] })
}

/** Whether the target makes keys, and revokes them: one that was given once can be used only. */
export async function offersKeys(context: CheckContext): Promise<boolean> {
  if (!context.has('apiKeys')) return false
  const isRevoked = await unlessUntestable(async () => {
    const key = await makeKey(context)
    if (key.id === undefined) return false
    await context.apiKeys.revoke(key)
    return true
  })
  return isRevoked === true
}

export const createKey: CommandAct = async (model, context) => {
  model.keys.push({ key: await makeKey(context), revoked: false })
}

const revokeKey: CommandAct = async (model, context, choice) => {
  const open = pick(
    model.keys.filter(({ revoked }) => !revoked),
    choice,
  )
  if (open === undefined) return
  await context.apiKeys.revoke(open.key)
  open.revoked = true
}

/** Exactly the keys that the model calls alive are accepted. */
export async function expectKeys(model: AuthModel, context: CheckContext): Promise<void> {
  for (const { key, revoked } of model.keys) {
    const response = await context.api.withToken(key.key, 'key').list(context.table('locked'))
    expectOutcome(response, !revoked, `a list with a ${revoked ? 'revoked' : 'valid'} key`)
  }
}

const some = (model: Readonly<AuthModel>) => model.keys.length > 0

export const keyCommands = [
  command('createKey', () => true, createKey),
  command('revokeKey', some, revokeKey),
  command('useKeys', some, expectKeys),
]
