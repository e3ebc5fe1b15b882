/**
 * Completes the body of a create: with what the table requires of each record, and with a mark of the run.
 *
 * @module
 */

import { withMark } from '../ownership/with-mark.ts'
import { copyForm } from '../support/copy-form.ts'
import type { Body } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'

/**
 * Adds the `values` of the target file that the body lacks; what a check sends is never replaced.
 *
 * @param segment the table, as the path names it
 * @param body keys as the target names them
 */
export function wholeCreate<T extends Body | FormData>(
  session: CleanUp & Course & RunSettings & Pick<Wire, 'target' | 'binding'>,
  segment: string,
  body: T,
): T {
  const table = session.ownership.mapped(segment)
  if (table === undefined) return body
  const { name, values } = table
  return withMark(session, name, values === undefined ? body : withValues(body, values))
}

function withValues<T extends Body | FormData>(body: T, values: Body): T {
  if (!(body instanceof FormData)) return { ...values, ...body }
  const whole = copyForm(body)
  for (const [key, value] of Object.entries(values))
    if (!body.has(key)) whole.append(key, typeof value === 'string' ? value : JSON.stringify(value))
  return whole as T
}
