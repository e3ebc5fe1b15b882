import { didYouMean } from '../../spec/nearest.ts'
import type { Table } from '../vocabulary.ts'

/** The message about a name that is not one of a field, without a capital: it may follow a place. */
export function noField(table: Table, name: string): string {
  const known = table.fields.map((field) => field.name)
  return `table "${table.name}" has no field "${name}".${didYouMean(name, known)} It has: ${known.join(', ')}.`
}
