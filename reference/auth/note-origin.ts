/**
 * Known locations of an auth record, and the email about a sign-in from a new one (contract-auth 9.4).
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { timers } from '../environment/timers.ts'
import { dateText } from '../fields/read-date.ts'
import type { RequestContext } from '../services.ts'
import type { Row, Table } from '../vocabulary.ts'
import { emailOf } from './account.ts'
import { composeEmail } from './mail/compose.ts'
import { escapeEmailHtml } from './mail/template.ts'
import { addOwned, ownedRows, ownedTable } from './owned-rows.ts'

/** Locations kept per record; the oldest is dropped first. */
const keptPlaces = 5
const patienceMs = 15_000

function userAgentOf(context: RequestContext): string {
  const text = context.headers().user_agent ?? ''
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

function fingerprintOf(context: RequestContext): string {
  return createHash('md5')
    .update(context.ip + userAgentOf(context))
    .digest('hex')
}

async function sendAlert(context: RequestContext, table: Table, row: Row): Promise<void> {
  const { services, ip } = context
  const info = `${dateText(services.environment.now())} - ${ip} ${userAgentOf(context)}`
  const mail = composeEmail(services, 'login-alert', table, row, emailOf(row), {
    ALERT_INFO: escapeEmailHtml(info),
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = timers.setTimeout(
      reject,
      patienceMs,
      new Error(`The email about a sign-in took more than ${patienceMs} ms.`),
    )
  })
  await Promise.race([services.mail.send(mail), late]).finally(() => timers.clearTimeout(timer))
}

/**
 * Stores the location of a sign-in. If it is new, and not the record's first, the owner gets an email before the
 * response is sent. If sending fails the location is not stored, so the next sign-in tries again.
 */
export async function noteOrigin(context: RequestContext, table: Table, row: Row): Promise<void> {
  if (table.definition.authAlert?.enabled === false) return
  const { store, environment, log } = context.services
  const fingerprint = fingerprintOf(context)
  const known = ownedRows(store.current, 'authOrigins', table, row)
  if (known.some((one) => one.values.fingerprint === fingerprint)) return
  if (known.length > 0 && emailOf(row) !== '') {
    try {
      await sendAlert(context, table, row)
    } catch (error) {
      log(error)
      return
    }
  }
  await store.transaction((writer) => {
    if (writer.get(table, row.id) === undefined) return
    const present = ownedRows(writer, 'authOrigins', table, row)
    if (present.some((one) => one.values.fingerprint === fingerprint)) return
    const surplus = present.slice(0, Math.max(0, present.length - keptPlaces + 1))
    for (const oldest of surplus) writer.remove(ownedTable(writer, 'authOrigins'), oldest)
    addOwned(writer, 'authOrigins', table, row, { fingerprint }, environment)
  })
}
