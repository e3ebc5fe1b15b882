import { toNumber } from '../fields/cast.ts'
import { readDate } from '../fields/read-date.ts'
import type { Table } from '../vocabulary.ts'

/** What a value of the type looks like, for messages; absent for types whose checks reject what does not fit. */
const forms: Readonly<Record<string, string>> = {
  number: 'a number',
  bool: 'true or false',
  date: 'a date such as "2030-01-31 12:00:00.000Z"',
  autodate: 'a date such as "2030-01-31 12:00:00.000Z"',
}

/**
 * Checks a value from code or from a file. A request may send anything: what is not a number becomes 0, as in the
 * living family. In a fixture that is a mistake, and no error would show it.
 *
 * @param name of the field, as it was given
 * @throws Error that names the field
 */
export function rejectLostValue(table: Table, name: string, value: unknown): void {
  const type = table.field(name)?.type ?? ''
  if (forms[type] === undefined || value === null || value === undefined || value === '') return
  if (fits(type, value)) return
  throw new Error(`"${name}" of table "${table.name}" must be ${forms[type]}, not ${JSON.stringify(value)}.`)
}

function fits(type: string, value: unknown): boolean {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  if (type === 'number')
    return (
      isScalar && (toNumber(value) !== 0 || Number(value) === 0) && String(value).trim() === String(value)
    )
  if (type === 'bool') return isScalar && /^(?:true|false|t|f|1|0)$/i.test(String(value))
  return value instanceof Date || (isScalar && readDate(value) !== '')
}
