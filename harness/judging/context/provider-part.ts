import type { Authorization } from '../../services/identity-provider.ts'
import { callHookForCheck } from '../../target/call-hook.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { ExpectationError } from '../expect.ts'

/** The identity provider of a check, from the hook `provider`. */
export function providerPart({ target }: Pick<Wire, 'target'>): CheckContext['provider'] {
  return {
    name: target.services?.oidc?.name,
    async authorize(request) {
      const { wrongAddress, ...gone } = (await callHookForCheck(target, 'provider', {
        ...request,
      })) as Authorization
      if (wrongAddress === undefined) return gone
      throw new ExpectationError(wrongAddress.fact, wrongAddress.expected, wrongAddress.received)
    },
  }
}
