import { isBlob } from '../../exchange/is-form.ts'
import { isObject } from '../../exchange/json-object.ts'
import type { FieldType } from '../../spec/field-types.ts'
import { kindName } from '../../spec/kind-name.ts'
import { fieldOfKey } from '../fields/body-keys.ts'
import { toNumber } from '../fields/cast.ts'
import { readDate } from '../fields/read-date.ts'
import { parseJson } from '../http/strict-json.ts'
import type { Table } from '../vocabulary.ts'

/** What a value of the type looks like, for messages. */
const forms: Readonly<Record<FieldType, string | undefined>> = {
  text: 'a string',
  email: 'a string',
  url: 'a string',
  editor: 'a string',
  password: 'a string',
  number: 'a number',
  bool: 'true or false',
  date: 'a date such as "2030-01-31 12:00:00.000Z"',
  autodate: 'a date such as "2030-01-31 12:00:00.000Z"',
  geoPoint: 'a point such as {"lon": 8.54, "lat": 47.37}',
  select: 'a string, or an array of strings',
  relation: 'an id or a record, or an array of them',
  file: 'a File or Blob: new File([bytes], "name.txt")',
  // It takes any JSON value; `check-values.ts` rejects what JSON cannot hold.
  json: undefined,
}

/** What differs over HTTP, where there are no records and no objects of a class. */
const formsOverHttp: typeof forms = {
  ...forms,
  relation: 'an id, or an array of ids',
  file: 'a file of a form, or the name of a stored file',
}

/**
 * Checks a value from code or from a file. A request may send anything: what is not a number becomes 0, as in the
 * living family. In a fixture that is a mistake, and no error would show it.
 *
 * @param name of the field, as it was given, with or without a modifier
 * @throws Error that names the field
 */
export function rejectLostValue(table: Table, name: string, value: unknown): void {
  const type = fieldOfKey(table, name)?.type
  const form = formLost(type, value)
  if (form === undefined) return
  const lost = isListType(type) && Array.isArray(value) ? value.find((part) => !fitsList(type, part)) : value
  throw new Error(`"${name}" of table "${table.name}" must be ${form}, not ${shown(lost)}.`)
}

/** What was lost of an accepted request, one line each, for the log. */
export function lostValueNotes(table: Table, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const form = formLost(table.field(name)?.type, value, formsOverHttp)
    // The server sets an autodate, whatever is sent.
    if (form === undefined || table.field(name)?.type === 'autodate') return []
    return [
      `"${name}" of "${table.name}" takes ${form}: ${shown(value)} was stored as ${shown(table.field(name)?.accept(value))}.`,
    ]
  })
}

/** The form that a field of the type takes, if it would change the value into its zero value. */
function formLost(type: FieldType | undefined, value: unknown, known = forms): string | undefined {
  if (type === undefined || value === null || value === undefined || value === '') return undefined
  return fits(type, value) ? undefined : known[type]
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

function fits(type: FieldType, value: unknown): boolean {
  switch (type) {
    case 'json':
      return true
    case 'number':
      return (
        isScalar(value) &&
        (toNumber(value) !== 0 || Number(value) === 0) &&
        String(value).trim() === String(value)
      )
    case 'bool':
      return isScalar(value) && /^(?:true|false|t|f|1|0)$/i.test(String(value))
    case 'geoPoint':
      return isPoint(typeof value === 'string' ? parseJson(value) : value)
    case 'date':
    case 'autodate':
      return value instanceof Date || (isScalar(value) && readDate(value) !== '')
    case 'select':
    case 'relation':
    case 'file':
      return Array.isArray(value) ? value.every((part) => fitsList(type, part)) : fitsList(type, value)
    default:
      return isText(value)
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** A date becomes its text in ISO 8601. */
function isText(value: unknown): boolean {
  return isScalar(value) || value instanceof Date
}

type ListType = 'select' | 'relation' | 'file'

function isListType(type: FieldType | undefined): type is ListType {
  return type === 'select' || type === 'relation' || type === 'file'
}

/** One element that is not a scalar would empty the whole list. A file is not an element of it: it is uploaded. */
function fitsList(type: ListType, part: unknown): boolean {
  return part === null || part === undefined || isText(part) || (type === 'file' && isBlob(part))
}

/** Whether it has a coordinate, and none that is not a number. The case of the keys is ignored, as the field does. */
function isPoint(value: unknown): boolean {
  if (!isObject(value)) return false
  const axes = Object.entries(value).filter(([key]) => /^(?:lon|lat)$/i.test(key))
  return axes.length > 0 && axes.every(([, axis]) => typeof axis === 'number')
}
