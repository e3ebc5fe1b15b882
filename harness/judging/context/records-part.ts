/**
 * The records that a check makes: as a superuser if one is known, but where an account or another credential stands in for
 * guests, as that one. It may see only what it has created itself.
 *
 * @module
 */

import { jsonObject } from '../../../exchange/json-object.ts'
import { isAboutBody, isAboutPermission } from '../../../spec/status-range.ts'
import { recordOfCreate } from '../../cleanup/record-of-create.ts'
import { StoppedError } from '../../errors.ts'
import { confirmLine } from '../../explore/confirm-names.ts'
import { superuserPlaces } from '../../session/actors.ts'
import type { ApiResponse, Body, WireRecord } from '../../vocabulary/api.ts'
import type { CheckContext } from '../../vocabulary/check.ts'
import type { CleanUp, TargetFacts } from '../../vocabulary/session.ts'
import type { TableRef } from '../../vocabulary/target.ts'
import type { Wire } from '../../vocabulary/wire.ts'
import { standInAt } from '../../wire/stand-in.ts'
import { BlockedError } from '../expect.ts'
import { responseSummary } from '../response-summary.ts'

export function recordsPart(
  session: Wire & CleanUp & Pick<TargetFacts, 'standIns' | 'identifiers'>,
  signal: AbortSignal,
): Pick<CheckContext, 'make' | 'created' | 'makeMany'> {
  // A second role of the table has no one who stands in: the superuser may set what others cannot, such as an owner.
  const isByStandIn = ({ name, as: actor }: TableRef) =>
    actor !== undefined && standInAt(session, name) !== undefined
  const isBySuperuser = (table: TableRef) => session.actors.knows('superuser') && !isByStandIn(table)
  const makerOf = (table: TableRef) => session.api(isBySuperuser(table) ? 'superuser' : 'guest')
  /** Tables, fields and strings of records that were created. */
  const accepted = new Set<string>()

  const part: Pick<CheckContext, 'make' | 'created' | 'makeMany'> = {
    async make(table, body = {}, query) {
      if (signal.aborted) throw new StoppedError('the run was stopped')
      let by = makerOf(table)
      let response = await by.create(table, body, query)
      // Whether superusers may create everywhere is left open. With a 401, the credential may have expired.
      if (isAboutPermission(response.status) && response.status !== 401 && isBySuperuser(table)) {
        const guest = session.api('guest')
        const asGuest = await guest.create(table, body, query)
        if (asGuest.ok) [by, response] = [guest, asGuest]
      }
      const sent = stringsSent(response)
      const keyOf = (entry: (typeof sent)[number]) => `${table.name} ${JSON.stringify(entry)}`
      if (!response.ok) {
        const repeated = sent.find((entry) => accepted.has(keyOf(entry)))?.[0]
        throw new BlockedError(
          `a record for the check could not be created in ${table.name}: ${responseSummary(response, 300)}${causeOf(response, table, repeated)}`,
        )
      }
      for (const entry of sent) accepted.add(keyOf(entry))
      return made(table, response, body, by)
    },
    created: (table, response, by) => made(table, response, undefined, by),
    async makeMany(table, bodies) {
      const made: WireRecord[] = []
      for (const body of bodies) made.push(await part.make(table, body as Body))
      return made
    },
  }
  return part

  /**
   * The likely cause of a rejection, if there is one.
   *
   * @param repeated the field that has the same string in a record that was created before
   */
  function causeOf(response: ApiResponse, table: TableRef, repeated: string | undefined): string {
    const { status } = response
    const line = confirmLine(session.target, response)
    if (line !== undefined) return `; for another name of the second password, or none: target file: ${line}`
    if (mayBeAboutValues(status) && repeated !== undefined)
      return `; one with the same "${repeated}" was created before: if it must be unique, map the role "${table.role}" to another table`
    if (isAboutPermission(status) && isBySuperuser(table))
      return `; it was sent as the superuser: if that credential is wrong or has expired, correct ${superuserPlaces}`
    return ''
  }

  async function made(
    table: TableRef,
    response: ApiResponse,
    body?: Body,
    by = makerOf(table),
  ): Promise<WireRecord> {
    const record = await recordOfCreate(session, by, table, response, body)
    if (record === undefined)
      throw new BlockedError(
        `the create response of ${table.name} contains no id (body or Location), and no list shows exactly one new record with its string; return the id: ${responseSummary(response, 300)}`,
      )
    return record
  }
}

/** Longer strings are not remembered. */
const longestText = 200

/** The strings of a body as it was sent, by field: a record without a string of the run gets one. */
function stringsSent({ exchange: { request } }: ApiResponse): [field: string, text: string][] {
  return Object.entries(jsonObject(request.body) ?? {}).flatMap(([field, value]) =>
    typeof value === 'string' && value !== '' && value.length <= longestText
      ? [[field, value] as [string, string]]
      : [],
  )
}

/** A quota, a permission or a rate limit has nothing to do with the values. */
function mayBeAboutValues(status: number): boolean {
  return isAboutBody(status) || status === 409
}
