import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { newEmail, passwordBody } from '../../shared/auth/accounts.ts'

/** Auth records whose addresses only they themselves may see, with one name. */
export interface PrivateMembers {
  table: TableRef
  /** Selects them all. */
  filter: string
  /** Not in alphabetical order, by position. */
  emails: string[]
  ids: string[]
}

export async function privateMembers(context: CheckContext, count: number): Promise<PrivateMembers> {
  const { table, make, unique } = context
  const name = unique('name')
  const members = table('members')
  const emails: string[] = []
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    // c, a, d, b: neither upwards nor downwards.
    const letter = 'cadbfe'[index % 6] ?? 'z'
    const email = `${letter}-${newEmail(context)}`
    const { id } = await make(members, {
      name,
      email,
      emailVisibility: false,
      ...passwordBody(context, 'long enough 1'),
    })
    emails.push(email)
    ids.push(id)
  }
  return { table: members, filter: `name = "${name}"`, emails, ids }
}
