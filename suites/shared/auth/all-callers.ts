/**
 * The clients that a check can have, each with other credentials. A server may serve each of them by other code.
 *
 * @module
 */

import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { KeyAction } from '../../../spec/vocabulary.ts'
import { sessionIn } from './session-in.ts'
import { otherCallers, signedInIfPossible, unlessPrevented } from './sessions.ts'

const everyAction: readonly KeyAction[] = ['list', 'view', 'create', 'update', 'delete']

export interface SuiteCaller {
  /** For messages: `a superuser`. */
  who: string
  api: Api
}

/** A guest, and each other client that the target lets a run have. A project API key is for `table`. */
export async function allCallers(context: CheckContext, table: TableRef): Promise<SuiteCaller[]> {
  const own = [
    ...(await otherCallers(context)),
    await staffCaller(context),
    await impersonatedCaller(context),
    await keyCaller(context, table),
  ]
  return [{ who: 'a guest', api: context.api }, ...own.filter((caller) => caller !== undefined)]
}

/** An account of a second auth table. */
async function staffCaller(context: CheckContext): Promise<SuiteCaller | undefined> {
  const staff = await signedInIfPossible(context, 'staff')
  return staff && { who: 'a user of a second auth table', api: staff.api }
}

/** An account that a superuser impersonates. */
async function impersonatedCaller(context: CheckContext): Promise<SuiteCaller | undefined> {
  if (!context.knows('superuser') || !context.has('impersonation')) return undefined
  const me = await signedInIfPossible(context)
  if (me === undefined) return undefined
  const { token } = sessionIn(await context.api.as('superuser').impersonate(me.table, me.id))
  return token === undefined
    ? undefined
    : { who: 'an impersonated user', api: context.api.withToken(token, 'impersonated') }
}

async function keyCaller(
  { api, apiKeys, has }: CheckContext,
  table: TableRef,
): Promise<SuiteCaller | undefined> {
  if (!has('apiKeys')) return undefined
  const made = await unlessPrevented(() => apiKeys.make({ tables: [table], actions: everyAction }))
  return made && { who: 'a project API key', api: api.withToken(made.key, 'key') }
}
