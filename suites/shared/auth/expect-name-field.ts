import { UntestableError } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * Which fields an account has in addition to those of section 2.2 is left open: one that shows no `name` before an update
 * and after it has none, and an update of it has nothing to change.
 *
 * @throws UntestableError
 */
export function expectNameField(
  { role, name }: TableRef,
  before: Partial<WireRecord>,
  after: Partial<WireRecord>,
): void {
  if ('name' in before || 'name' in after) return
  throw new UntestableError(
    `accounts of ${name} have no field "name" that the check can change`,
    `name another text of an account: "tables": { "${role}": { "name": ${JSON.stringify(name)}, "fields": { "name": "<your field>" } } }`,
  )
}
