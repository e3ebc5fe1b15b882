/**
 * Completes the body of a create: with what the table requires of each record, and with a mark of the run.
 *
 * @module
 */

import { nextMark, withMark } from '../ownership/with-mark.ts'
import { copyForm } from '../support/copy-form.ts'
import { filledValues } from '../support/filled-values.ts'
import type { Body } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { noteAccount } from './learn-usernames.ts'

/**
 * Adds the `values` of the table that the body lacks, and the username of an account that signs in by it; what a check sends
 * is never replaced. `{unique}` in a string becomes a word that no other record has: letters, digits and underscores.
 *
 * @param segment the table, as the path names it
 * @param body keys as the target names them
 * @param given a table that is tried. @default the target's table
 */
export function wholeCreate<T extends Body | FormData>(
  session: CleanUp & Course & RunSettings & Pick<Wire, 'target' | 'binding'>,
  segment: string,
  body: T,
  given: Partial<TableRef> = {},
): T {
  const mapped = session.ownership.mapped(segment)
  const { name = segment, identity = given.identity } = mapped ?? {}
  const word = () => nextMark(session).replaceAll('-', '_')
  const lacks = (key: string) => !(body instanceof FormData ? body.has(key) : key in body)
  const values = Object.entries({ ...mapped?.values, ...given.values }).filter(([key]) => lacks(key))
  const made = filledValues(Object.fromEntries(values), word)
  const isNameless = identity !== undefined && lacks(identity) && !(identity in made)
  // Last: a search for the record begins with what the check sent.
  const whole = withValues(body, made, isNameless ? { [identity]: word() } : {})
  noteAccount(session, { role: '', ...mapped, name, identity }, whole)
  return withMark(session, name, whole)
}

function withValues<T extends Body | FormData>(body: T, values: Body, last: Body): T {
  if (Object.keys(values).length + Object.keys(last).length === 0) return body
  if (!(body instanceof FormData)) return { ...values, ...body, ...last }
  const whole = copyForm(body)
  for (const [key, value] of Object.entries({ ...values, ...last }))
    whole.append(key, typeof value === 'string' ? value : JSON.stringify(value))
  return whole as T
}
