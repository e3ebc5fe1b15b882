import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { textFieldOf } from './text-field-of.ts'

type Given = Pick<CheckContext, 'api' | 'table' | 'unique' | 'make' | 'once'>

/** Whether two records of a table may have the same text, which is left open: tried once a run. */
export function takesSameText({ api, table, unique, make, once }: Given, role: string): Promise<boolean> {
  return once(`two records of ${role} with the same text`, async () => {
    const body = { [textFieldOf(role)]: unique('same') }
    await make(table(role), body)
    return (await api.create(table(role), body)).ok
  })
}
