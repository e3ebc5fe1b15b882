import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { textFieldOf } from './text-field-of.ts'

type Given = Pick<CheckContext, 'api' | 'table' | 'unique' | 'make' | 'once'>

/**
 * Whether two records of a table may have the same text, which is left open: tried once a run.
 *
 * @param needed what each record of the table needs in addition
 */
export function takesSameText(
  { api, table, unique, make, once }: Given,
  role: string,
  needed: Body = {},
): Promise<boolean> {
  return once(`two records of ${role} with the same text`, async () => {
    const body = { [textFieldOf(role)]: unique('same'), ...needed }
    await make(table(role), body)
    return (await api.create(table(role), body)).ok
  })
}
