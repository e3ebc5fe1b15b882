import { isObject } from '../../exchange/json-object.ts'
import { kindName } from '../../spec/kind-name.ts'
import { fieldOfKey } from '../fields/body-keys.ts'
import { fieldKind } from '../fields/registry.ts'
import type { ValueForm } from '../fields/value-form.ts'
import type { Field, Table } from '../vocabulary.ts'

/**
 * Checks a value from code or from a file. A request may send anything: what is not a number becomes 0, as in the
 * living family. In a fixture that is a mistake, and no error would show it.
 *
 * @param name of the field, as it was given, with or without a modifier
 * @throws Error that names the field
 */
export function rejectLostValue(table: Table, name: string, value: unknown): void {
  const form = formLost(fieldOfKey(table, name), value)
  if (form === undefined) return
  const lost = partsOf(form, value).find((part) => !form.fits(part))
  throw new Error(`"${name}" of table "${table.name}" must be ${form.name}, not ${shown(lost)}.`)
}

/** What was lost of an accepted request, one line each, for the log. */
export function lostValueNotes(table: Table, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = table.field(name)
    const form = formLost(field, value)
    // The server sets an autodate, whatever is sent.
    if (form === undefined || field?.type === 'autodate') return []
    return [
      `"${name}" of "${table.name}" takes ${form.overHttp ?? form.name}: ${shown(value)} was stored as ${shown(field?.accept(value))}.`,
    ]
  })
}

/** The form of the field's values, if the field would change this one into its zero value. */
function formLost(field: Pick<Field, 'type'> | undefined, value: unknown): ValueForm | undefined {
  if (field === undefined || value === null || value === undefined || value === '') return undefined
  const { form } = fieldKind(field.type)
  return form === undefined || partsOf(form, value).every((part) => form.fits(part)) ? undefined : form
}

function partsOf({ list }: ValueForm, value: unknown): readonly unknown[] {
  return list && Array.isArray(value) ? value : [value]
}

const longestShown = 80

/** As JSON; `a Buffer` for an object of a class, whose JSON says less, and for one that has no JSON. */
function shown(value: unknown): string {
  const kind = isObject(value) ? className(value) : undefined
  if (kind !== undefined) return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`
  try {
    const text = JSON.stringify(value)
    return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  } catch {
    return kindName(value)
  }
}

function className(value: object): string | undefined {
  const { constructor: made }: { constructor?: unknown } = value
  return typeof made === 'function' && made.name !== 'Object' && made.name !== '' ? made.name : undefined
}
