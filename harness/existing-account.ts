import type { ClosedTable } from './vocabulary/session.ts'

/** The lines of a target file that name an account that exists, for a table that guests may not use. */
export function existingAccountLine(
  role: string,
  { name }: ClosedTable,
  members: string | undefined,
): string {
  const table = `"${role}": { "name": ${JSON.stringify(name)}, "as": "caller" }`
  const signIn = `"table": ${JSON.stringify(members ?? '<your auth table>')}, "identity": "<email>", "passwordEnv": "CALLER_PASSWORD"`
  return `target file: "tables": { ${table} }, "credentials": { "caller": { "signIn": { ${signIn} } } }`
}
