import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { fieldOf } from '../lists/shared-records.ts'
import { textFieldOf } from './text-field-of.ts'

/** The body of a create that lacks something, with a text by which its record is found. */
export interface IncompleteBody {
  /** The field with the text, by its name in the suite. */
  field: string
  text: string
  /** By names of the target's fields. */
  body: Body
}

/**
 * Creates in the table of a role, each without one of the values that the target file names for it: the table may require
 * them. In `required`, only the text is sent.
 */
export function incompleteBodies({ hasTable, table, unique }: CheckContext, role: string): IncompleteBody[] {
  if (!hasTable(role)) return []
  const place = table(role)
  const field = textFieldOf(role)
  const name = fieldOf(place, field)
  const values = Object.entries(place.values ?? {})
  const given = values
    .filter(([lacking]) => lacking !== name)
    .map(([lacking]) => Object.fromEntries(values.filter(([key]) => key !== lacking)))
  if (role === 'required') given.push({})
  return given.map((rest) => {
    const text = unique('incomplete')
    return { field, text, body: { ...rest, [name]: text } }
  })
}
