/**
 * Ids of the records that every server of the fuzzer begins with: known without asking, equal everywhere.
 *
 * @module
 */

const perTable = 3

/** @param table by name or id; both contain its role: `conf_plain`, `conf_plain_0001` */
export function fuzzIds(table: string): string[] {
  const role = table.replace(/^conf_/, '').replace(/_\d+$/, '')
  return Array.from({ length: perTable }, (_, at) => idOf(role, at))
}

function idOf(role: string, at: number): string {
  return role.slice(0, 14).padEnd(14, '0') + String(at + 1)
}

/** The email address of an account. */
export const fuzzEmail = (role: string, at = 0): string => `${role}${at + 1}@mail.example`
export const usernameOf = (role: string, at = 0): string => `${role}_${at + 1}`
