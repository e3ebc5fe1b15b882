/**
 * The embedded target: the reference over a real socket, in this process, with the tables of `spec/tables.yaml` and one
 * account for each actor that the suites know.
 *
 * @module
 */

import type { Reference } from '../../reference/reference.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { loadTables, tableDefinitions } from '../../spec/tables.ts'
import type { KeyAction } from '../../spec/vocabulary.ts'
import { defined } from '../support/defined.ts'
import type { Credential, TableRef, Target } from '../vocabulary/target.ts'
import type { Hook } from './hook-server.ts'
import { offerHooks } from './offer-hooks.ts'
import { startServices } from './start-services.ts'
import { withProvider } from './with-provider.ts'

export interface EmbeddedTarget {
  target: Target
  close(): Promise<void>
}

export interface EmbeddedOptions {
  seed: number
  prefix?: string
}

const superuser = { email: 'superuser@conformance.example', password: 'embedded-superuser' }

/** Starts the reference on a free port of 127.0.0.1. */
export async function startEmbedded({ seed, prefix }: EmbeddedOptions): Promise<EmbeddedTarget> {
  let running: Reference | undefined
  // Together: the provider's key is made by another processor.
  const [services, { createReference, EmailNotSent }] = await Promise.all([
    startServices(
      { smtp: {}, oidc: {} },
      referenceHooks(() => started(running)),
      offerHooks,
    ),
    import('../../reference/reference.ts'),
  ])
  try {
    const { smtp, provider } = services
    const reference = createReference({
      tables: provider === undefined ? tableDefinitions() : withProvider(tableDefinitions(), provider),
      superusers: [superuser],
      seed,
      // No one steals these hashes; at the usual cost they would take a tenth of a run.
      passwordCost: 4,
      // That an email is missing is noticed by the check that waits for it.
      log: (error) => (error instanceof EmailNotSent ? undefined : console.error(error)),
      mail: smtp === undefined ? undefined : { smtp: { host: smtp.host, port: smtp.port } },
      prefix,
    })
    running = reference
    const { url } = await reference.listen(0)
    return {
      target: targetAt(url, services.hooks, prefix),
      async close() {
        await reference.close()
        await services.close()
      },
    }
  } catch (error) {
    // They would keep the process alive, and its message unseen.
    await services.close()
    throw error
  }
}

function targetAt(
  baseUrl: string,
  hooks: Readonly<Record<string, string>>,
  prefix: string | undefined,
): Target {
  return {
    baseUrl,
    name: 'embedded reference',
    profile: 'standard',
    binding: { ...standardBinding(), ...defined({ prefix }) },
    capabilities: {},
    tables: roleTables(),
    credentials: { superuser: signIn('_superusers', superuser.email, superuser.password) },
    hooks,
    ...quickEmails,
  }
}

/** The emails of the reference come in a few milliseconds, over loopback and from one process. */
export const quickEmails = { mail: { quiet: 50 }, services: { smtp: { settle: 0 } } }

/** What the reference offers to the tester outside its interface: its clock, its records, and its console for API keys. */
export function referenceHooks(reference: () => Reference): Record<string, Hook> {
  return {
    clock({ advance }) {
      const { clock } = reference()
      clock.advance(Number(advance) * 1_000)
      return { now: new Date(clock.now()).toISOString() }
    },
    async createApiKey({ tables, actions }) {
      const scope = { tables: tables as string[], actions: actions as KeyAction[] }
      const { id, key } = await reference().apiKeys.create(scope)
      return { id, key, actions: scope.actions }
    },
    revokeApiKey: ({ id }) => reference().apiKeys.revoke(String(id)),
    async deleteRecords({ records }) {
      for (const { table, id } of records as { table: string; id: string }[])
        await reference().records.delete(table, id)
    },
  }
}

function started(reference: Reference | undefined): Reference {
  if (reference === undefined) throw new Error('the embedded reference has not been started yet')
  return reference
}

/** The tables of `spec/tables.yaml` by role. */
export function roleTables(): Record<string, TableRef> {
  return Object.fromEntries(
    loadTables().map(({ role, definition }) => [role, { role, name: definition.name, id: definition.id }]),
  )
}

function signIn(table: string, identity: string, password: string): Credential {
  return { signIn: { table, identity, password } }
}
