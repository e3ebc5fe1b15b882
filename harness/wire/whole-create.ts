/**
 * Completes the body of a create: with what the table requires of each record, and with a mark of the run.
 *
 * @module
 */

import { nextMark, withMark } from '../ownership/with-mark.ts'
import { copyForm } from '../support/copy-form.ts'
import type { Body } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'

/**
 * Adds the `values` of the table that the body lacks; what a check sends is never replaced. `{unique}` in a string
 * becomes a word that no other record has: letters, digits and underscores.
 *
 * @param segment the table, as the path names it
 * @param body keys as the target names them
 * @param given values of a table that is tried. @default those of the target's table
 */
export function wholeCreate<T extends Body | FormData>(
  session: CleanUp & Course & RunSettings & Pick<Wire, 'target' | 'binding'>,
  segment: string,
  body: T,
  given?: TableRef['values'],
): T {
  const table = session.ownership.mapped(segment)
  const { name = segment, values = given } = table ?? {}
  if (values === undefined) return withMark(session, name, body)
  const word = () => nextMark(session).replaceAll('-', '_')
  const lacking = Object.entries({ ...values, ...given }).filter(
    ([key]) => !(body instanceof FormData ? body.has(key) : key in body),
  )
  const made = lacking.map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{unique}', word) : value,
  ])
  return withMark(session, name, withValues(body, Object.fromEntries(made)))
}

function withValues<T extends Body | FormData>(body: T, values: Body): T {
  if (!(body instanceof FormData)) return { ...values, ...body }
  const whole = copyForm(body)
  for (const [key, value] of Object.entries(values))
    whole.append(key, typeof value === 'string' ? value : JSON.stringify(value))
  return whole as T
}
