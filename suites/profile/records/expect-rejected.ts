import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/** One field of a table in a role, values that it accepts, and values that it rejects with a code. */
export interface Rejected {
  role: string
  field: string
  accepted: readonly unknown[]
  rejected: readonly unknown[]
  code: string
  /** Fields that every create of the table sends along. */
  otherFields?: Body
}

/** Every value to reject comes right after an accepted one, and every value to accept is sent at least once. */
export async function expectRejected(
  context: CheckContext,
  { role, field, accepted, rejected, code, otherFields }: Rejected,
): Promise<void> {
  const { api, table, rejects } = context
  const rounds = Math.max(accepted.length, rejected.length)
  for (let round = 0; round < rounds; round += 1) {
    await rejects({
      control: () => api.create(table(role), { ...otherFields, [field]: accepted[round % accepted.length] }),
      attempt: () => api.create(table(role), { ...otherFields, [field]: rejected[round % rejected.length] }),
      status: 400,
      data: { [field]: code },
    })
  }
}
