/**
 * `POST /collections/{table}/request-email-change` (contract-auth 9.3).
 *
 * @module
 */

import { notAllowed } from '../fields/field-error.ts'
import { reauthenticate } from '../http/handle.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import { emailError, emailOf, findByEmail } from './account.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { requireOwnToken } from './auth-refresh.ts'
import { findAnyTable, requireAuthTable } from './auth-table.ts'
import { mailLink } from './mail-link.ts'
import { rejectSuperusers } from './request-verification.ts'

/**
 * Emails a link to the new address. If another record has the address nothing is sent, but the response and its timing
 * are the same, even if an email fails: they must not reveal which accounts exist (`auth.statuses` in
 * docs/profile.md).
 *
 * @throws ApiError 404 no such auth table; 401, 403 not a token of it; 400 superusers, body, address
 */
export async function requestEmailChange(
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const { services } = context
  const { store } = services
  const table = findAnyTable(context, store.current)
  requireOwnToken(context, table)
  requireAuthTable(table, store.current)
  rejectSuperusers(table, 'All superusers can change their emails directly.')
  const body = await readAuthBody(context, request)
  const { row } = requireOwnToken(await reauthenticate(context, request, store.current), table)
  const newEmail = body.text('newEmail')
  const same = newEmail !== '' && newEmail === emailOf(row)
  throwInvalid({ newEmail: emailError(newEmail) ?? (same ? notAllowed : undefined) })

  const holder = findByEmail(store.current, table, newEmail)
  const free = holder === undefined || holder.id === row.id
  // Neither the time that an email takes nor its failure may distinguish a free address from a taken one.
  services.background.start(async () => {
    if (free) await mailLink(services, 'emailChange', table, row, newEmail)
  })
  return { status: 204 }
}
