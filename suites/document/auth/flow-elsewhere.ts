import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { flowToken } from '../../shared/auth/email-flows.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * An account of another auth table, for which a flow can be confirmed. Undefined: there is no such table, or no emails for
 * its accounts, which is tried once a run.
 */
export async function elsewhere<T>(
  context: CheckContext,
  make: (role: string) => Promise<T>,
): Promise<T | undefined> {
  const role = 'staff'
  if (!context.hasTable(role)) return undefined
  const hasFlows = await context.once('emails for accounts of another auth table', async () => {
    const token = await unlessPrevented(async () =>
      flowToken(context, 'password-reset', await newAccount(context, role)),
    )
    return token !== undefined
  })
  return hasFlows ? unlessPrevented(() => make(role)) : undefined
}
