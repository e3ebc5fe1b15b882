import { isObject } from '../../exchange/json-object.ts'
import { toNumber } from '../fields/cast.ts'
import { readDate } from '../fields/read-date.ts'
import { parseJson } from '../http/strict-json.ts'
import type { Table } from '../vocabulary.ts'

/** What a value of the type looks like, for messages; absent for types whose checks reject what does not fit. */
const forms: Readonly<Record<string, string>> = {
  number: 'a number',
  bool: 'true or false',
  date: 'a date such as "2030-01-31 12:00:00.000Z"',
  autodate: 'a date such as "2030-01-31 12:00:00.000Z"',
  geoPoint: 'a point such as {"lon": 8.54, "lat": 47.37}',
}

/**
 * Checks a value from code or from a file. A request may send anything: what is not a number becomes 0, as in the
 * living family. In a fixture that is a mistake, and no error would show it.
 *
 * @param name of the field, as it was given
 * @throws Error that names the field
 */
export function rejectLostValue(table: Table, name: string, value: unknown): void {
  const form = formLost(table, name, value)
  if (form === undefined) return
  throw new Error(`"${name}" of table "${table.name}" must be ${form}, not ${shown(value)}.`)
}

/** What was lost of an accepted request, one line each, for the log. */
export function lostValueNotes(table: Table, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const form = formLost(table, name, value)
    // The server sets an autodate, whatever is sent.
    if (form === undefined || table.field(name)?.type === 'autodate') return []
    return [
      `"${name}" of "${table.name}" takes ${form}: ${shown(value)} was stored as ${shown(table.field(name)?.accept(value))}.`,
    ]
  })
}

/** The form that the field takes, if it would change the value into its zero value. */
function formLost(table: Table, name: string, value: unknown): string | undefined {
  const type = table.field(name)?.type ?? ''
  const form = forms[type]
  if (form === undefined || value === null || value === undefined || value === '') return undefined
  return fits(type, value) ? undefined : form
}

const longestShown = 80

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

function fits(type: string, value: unknown): boolean {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  if (type === 'number')
    return (
      isScalar && (toNumber(value) !== 0 || Number(value) === 0) && String(value).trim() === String(value)
    )
  if (type === 'geoPoint') return isPoint(typeof value === 'string' ? parseJson(value) : value)
  if (type === 'bool') return isScalar && /^(?:true|false|t|f|1|0)$/i.test(String(value))
  return value instanceof Date || (isScalar && readDate(value) !== '')
}

/** Whether it has a coordinate, and none that is not a number. The case of the keys is ignored, as the field does. */
function isPoint(value: unknown): boolean {
  if (!isObject(value)) return false
  const axes = Object.entries(value).filter(([key]) => /^(?:lon|lat)$/i.test(key))
  return axes.length > 0 && axes.every(([, axis]) => typeof axis === 'number')
}
