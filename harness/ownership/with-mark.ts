/**
 * Adds a mark to each record that a run creates, if its check does not: without a mark, nothing would show later that
 * the run created the record, and it could not be changed or deleted. docs/decisions/008.
 *
 * @module
 */

import { formPayloads } from '../../exchange/form-payload.ts'
import { loadRoles } from '../../spec/tables.ts'
import { copyForm } from '../support/copy-form.ts'
import { idCharacters } from '../support/hash.ts'
import { mappedTable } from '../target/mapped-table.ts'
import type { Body } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { madeUpAddress } from '../wire/made-up-address.ts'
import { marksIn } from './marks.ts'
import { addedMarkPlace, scopeOf, uniqueNames } from './scopes.ts'

/** Length of a mark, including its prefix. */
const longest = 20

interface MarkField {
  name: string
  type: string
}

/** By role: the fields that can contain a mark, the most ordinary first. */
let known: ReadonlyMap<string, readonly MarkField[]> | undefined

function markFields(role: string): readonly MarkField[] {
  known ??= new Map(
    loadRoles().map(({ role: each, definition: { fields = [] } }) => [
      each,
      [
        ...fields.filter(
          (field) =>
            field.type === 'text' &&
            !(field.hidden || field.system || field.pattern || field.autogeneratePattern) &&
            (field.max || longest) >= longest,
        ),
        ...fields.filter((field) => field.type === 'editor' && (field.maxSize || longest) >= longest),
        ...fields.filter((field) => field.type === 'email' && !field.onlyDomains?.length),
      ].map(({ name, type }) => ({ name, type })),
    ]),
  )
  return known.get(role) ?? []
}

/**
 * The body of a create with a mark in the first suitable field that it lacks; the unchanged body if it has a mark, or
 * no field is suitable.
 *
 * @param segment the table, as the path names it
 * @param body keys as the target names them
 */
export function withMark<T extends Body | FormData>(
  session: CleanUp & Course & RunSettings & Pick<Wire, 'target' | 'binding'>,
  segment: string,
  body: T,
): T {
  const table = mappedTable(session, segment)
  if (table === undefined) return body
  const form = body instanceof FormData ? body : undefined
  const shown = form === undefined ? body : Object.fromEntries([...form].map(([key, value]) => [key, value]))
  if (marksIn(shown, session.scopes).length > 0) return body
  const payload = Object.assign({}, ...(form === undefined ? [] : formPayloads(form)))
  // A table with several roles has the fields of all of them.
  const roles = Object.values(session.target.tables).filter(({ name }) => name === table.name)
  const field = roles
    .flatMap(({ role }) => markFields(role))
    .map(({ name, type }) => ({ type, name: table.fields?.[name] ?? name }))
    .find(({ name }) => !(name in (shown as Body)) && !(name in payload))
  if (field === undefined) return body
  const next = nextMark(session)
  const mark = field.type === 'email' ? madeUpAddress(session, next) : next
  // First: a server that loses the last field must not lose the mark instead of what the check sent.
  if (form === undefined) return { [field.name]: mark, ...body }
  const whole = copyForm(form)
  whole.append(field.name, mark)
  return whole as T
}

/** `unique()` for one place of a run, a check for example. The run recognizes its strings as its own from then on. */
export function uniqueIn(session: CleanUp & RunSettings, place: string): (prefix?: string) => string {
  const { namespace, seed } = session.options
  const letters = namespace ?? idCharacters(5, seed)
  session.scopes.add(scopeOf(letters, place))
  return uniqueNames(letters, place)
}

/** A new mark. Names by check, so that a check sends the same requests whatever ran before it. */
export function nextMark(session: CleanUp & Course & RunSettings): string {
  const place = addedMarkPlace(session.check)
  let next = session.addedMarks.get(place)
  if (next === undefined) {
    next = uniqueIn(session, place)
    session.addedMarks.set(place, next)
  }
  return next('own')
}
