import type { TableRef } from '../vocabulary/target.ts'

/** Roles of auth tables, the most useful first: `staff` has no other purpose than to be a second one. */
const roles = ['staff', 'named', 'mfa'] as const

/**
 * The role of an auth table other than that of `members`. Undefined if a target has none.
 *
 * @param tableOf the table in a role, if there is one
 */
export function secondAuthTable(
  tableOf: (role: string) => TableRef | undefined,
): (typeof roles)[number] | undefined {
  const { name } = tableOf('members') ?? {}
  return roles.find((role) => (tableOf(role)?.name ?? name) !== name)
}
