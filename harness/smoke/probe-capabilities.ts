/**
 * The capabilities of a target, as far as its responses and the target file show them.
 *
 * @module
 */

import { authRoles } from '../../spec/tables.ts'
import { nothingThere } from '../explore/missing-operations.ts'
import { methodsIn } from '../explore/reported-methods.ts'
import type { TrySend } from '../explore/usable-response.ts'
import type { RunSettings } from '../vocabulary/session.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'

const accountRoles = authRoles()

/** Capabilities that responses show, with notes for the report. */
export async function probeCapabilities(
  session: Wire & RunSettings,
  tables: Readonly<Record<string, TableRef>>,
  trySend: TrySend,
): Promise<{ probed: Record<string, boolean>; notes: string[] }> {
  const notes: string[] = []
  const guest = session.api('guest')
  const capabilities: Record<string, boolean> = session.actors.knows('superuser')
    ? { impersonation: true }
    : {}
  const empty = { headers: { 'content-type': 'application/json' }, body: '{"requests":[]}' }
  // In a read-only run, it stays unknown.
  const batch = session.options.readOnly
    ? undefined
    : await trySend(() => guest.raw({ method: 'POST', path: guest.path.batch(), ...empty }))
  // A check reports whether the server has batches at all.
  if (batch !== undefined && !nothingThere.has(batch.status) && batch.status < 500)
    capabilities.batch = batch.status !== 401 && batch.status !== 403
  if (capabilities.batch === false && session.target.capabilities.batch !== true)
    notes.push(
      `guests may not send batches, or batches are switched off (status ${batch?.status}): a signed-in account sends them, otherwise a superuser; profile requirements on batches are not judged`,
    )
  for (const [role, table] of Object.entries(tables)) {
    if (!accountRoles.has(role)) continue
    const response = await trySend(() => guest.authMethods(table))
    if (response?.ok !== true || typeof response.body !== 'object' || response.body === null) continue
    for (const [method, enabled] of Object.entries(methodsIn(response.body, session.binding)))
      capabilities[method] = enabled || capabilities[method] === true
  }
  // The document (section 5, item 4) does not list it among what auth-methods reports: a table with the role is enough.
  if (tables.mfa !== undefined) capabilities.mfa ??= true
  return { probed: capabilities, notes }
}

/** Capabilities that the tester provides, and that no request shows. */
export function offeredCapabilities({ hooks = {}, credentials }: Target): Record<string, boolean> {
  const keys = hooks.createApiKey !== undefined || Object.values(credentials).some(({ scope }) => scope)
  const there = { mail: hooks.mailbox !== undefined, clock: hooks.clock !== undefined, apiKeys: keys }
  // The others are probed.
  return Object.fromEntries(Object.entries(there).filter(([, isThere]) => isThere))
}
