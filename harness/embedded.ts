/**
 * The embedded target: the reference over a real socket, in this process, with the tables of `spec/tables.yaml` and one
 * account for each actor that the suites know.
 *
 * @module
 */

import { standardBinding } from '../spec/gaps.ts'
import { loadTables, tableDefinitions } from '../spec/tables.ts'
import type { Credential, TableRef, Target } from './vocabulary.ts'

export interface EmbeddedTarget {
  target: Target
  close(): Promise<void>
}

const superuser = { email: 'superuser@conformance.example', password: 'embedded-superuser' }

/** Starts the reference on a free port of 127.0.0.1. */
export async function startEmbedded({
  seed,
  prefix,
}: {
  seed: number
  prefix?: string
}): Promise<EmbeddedTarget> {
  const { createReference } = await import('../reference/reference.ts')
  const reference = await createReference({
    tables: tableDefinitions(),
    superusers: [superuser],
    seed,
    ...(prefix === undefined ? {} : { prefix }),
  })
  const { url } = await reference.listen(0)
  const target: Target = {
    baseUrl: url,
    name: 'embedded reference',
    profile: 'standard',
    binding: { ...standardBinding(), ...(prefix === undefined ? {} : { prefix }) },
    capabilities: {},
    tables: roleTables(),
    credentials: { superuser: signIn('_superusers', superuser.email, superuser.password) },
  }
  return { target, close: () => reference.close() }
}

/** The tables of `spec/tables.yaml` by role. */
export function roleTables(): Record<string, TableRef> {
  return Object.fromEntries(
    loadTables().map(({ role, definition }) => [
      role,
      { role, name: definition.name, ...(definition.id === undefined ? {} : { id: definition.id }) },
    ]),
  )
}

function signIn(table: string, identity: string, password: string): Credential {
  return { signIn: { table, identity, password } }
}
