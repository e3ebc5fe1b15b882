/**
 * The project API keys of a check: created by a hook, or from the target file.
 *
 * @module
 */

import { forgetKey, keyEntry } from '../../cleanup/key-entry.ts'
import { callHookForCheck } from '../../target/call-hook.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { CleanUp } from '../../vocabulary/session.ts'
import type { ApiKey, KeyScope } from '../../vocabulary/target.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { UntestableError } from '../expect.ts'

export function apiKeysPart(session: Wire & CleanUp): CheckContext['apiKeys'] {
  const { target } = session
  return {
    async make(scope) {
      const tables = scope.tables.map((table) => (typeof table === 'string' ? table : table.name))
      const key =
        target.hooks?.createApiKey === undefined
          ? givenKey(session, tables, scope.actions)
          : ((await callHookForCheck(target, 'createApiKey', {
              tables,
              actions: [...scope.actions],
            })) as ApiKey)
      session.redactor.give(key.key, '$KEY')
      session.coverage.knowApiKey(key.key)
      if (key.id !== undefined && target.hooks?.revokeApiKey !== undefined)
        session.cleanup.add(keyEntry(session, key.id))
      return key
    },
    async revoke({ id }) {
      if (id === undefined)
        throw new UntestableError('a key from the target file cannot be revoked', 'hooks.revokeApiKey')
      await callHookForCheck(target, 'revokeApiKey', { id })
      // A hook may reject the id of a key that is no longer there.
      forgetKey(session, id)
    },
  }
}

/** The API key in the target file with exactly this scope. */
function givenKey({ target }: Wire, tables: readonly string[], actions: KeyScope['actions']): ApiKey {
  const same = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join() === [...other].sort().join()
  for (const { token, scope } of Object.values(target.credentials)) {
    if (
      token !== undefined &&
      scope !== undefined &&
      same(scope.tables, tables) &&
      same(scope.actions, actions)
    )
      return { key: token, actions: scope.actions }
  }
  throw new UntestableError(
    `the target file has no API key for ${actions.join(', ')} on ${tables.join(', ')}`,
    'target file: "hooks": { "createApiKey": "..." }, or a credential with "token" and this "scope"',
  )
}
