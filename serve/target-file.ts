/**
 * The ready file: a target file for `conformance --target`, which any test can also read.
 *
 * @module
 */

import { quickEmails, roleTables } from '../harness/target/embedded.ts'
import type { TargetFile } from '../harness/target/target-file.ts'
import { mintToken } from './mint-token.ts'
import type { Serving } from './serving.ts'

/**
 * @param suiteTables whether the tables of the suite are served
 * @param hooks URLs of the services in addition to the interface
 */
export async function suiteTargetFile(
  serving: Serving,
  superuser: { email: string },
  suiteTables: boolean,
  hooks?: Record<string, string>,
): Promise<TargetFile> {
  const { url, prefix, reference } = serving
  const { token } = await mintToken(reference, { table: '_superusers', email: superuser.email })
  const keys = reference.apiKeys.initial.map(({ name, id, key, tables, actions }) => [
    name || id,
    { token: key, scope: { tables: [...tables], actions: [...actions] } },
  ])
  return {
    baseUrl: url,
    name: 'reference',
    profile: 'standard',
    prefix,
    tables: suiteTables ? withoutRoles() : {},
    credentials: { superuser: { token }, ...Object.fromEntries(keys) },
    hooks,
    ...(hooks !== undefined && quickEmails),
  }
}

function withoutRoles(): NonNullable<TargetFile['tables']> {
  return Object.fromEntries(
    Object.entries(roleTables()).map(([role, { role: _role, ...table }]) => [role, table]),
  )
}
