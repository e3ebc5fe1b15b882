/**
 * `--target pocketbase`: provisions a fresh or an existing PocketBase through its HTTP API, and undoes it.
 *
 * All that is needed is the superuser: `CONFORMANCE_SUPERUSER_IDENTITY` and `CONFORMANCE_SUPERUSER_PASSWORD`, or
 * `CONFORMANCE_SUPERUSER_TOKEN`. Each run creates tables under names of its own (`conf_<run>_plain`), so that
 * runs do not meet and no table of yours is touched; a few settings (mail server, batch, rate limits) are set for
 * as long as any run goes on, and put back after the last one.
 *
 * @module
 */

import { ConfigurationError } from '../harness/errors.ts'
import { createAdmin } from '../harness/target/admin.ts'
import type { SetupInput, SetupResult } from '../harness/target/setup.ts'
import type { TargetFile } from '../harness/target/target-file.ts'
import { loadTables } from '../spec/tables.ts'
import { existingTables } from './pocketbase/existing.ts'
import { restoreSettings, takeSettings } from './pocketbase/settings.ts'
import { importTables, namespaced, removeTables, runsWithTables } from './pocketbase/tables.ts'

export const target: Partial<TargetFile> = {
  baseUrl: 'http://127.0.0.1:8090',
  name: 'PocketBase',
  profile: 'standard',
  prefix: '/api',
  // The setup configures where the server sends emails, and which identity provider it trusts.
  services: { smtp: {}, oidc: {} },
  // There are none: its superusers have sessions, and trusted server code uses those.
  capabilities: { apiKeys: false },
}

/** Makes the tables of this run, and points mail and identity provider at it. */
export async function setup(input: SetupInput): Promise<SetupResult> {
  const admin = await createAdmin(input)
  if (input.readOnly) return admin === undefined ? {} : { tables: await existingTables(admin) }
  if (admin === undefined) {
    throw new ConfigurationError(
      'no superuser credentials are set, and they are needed to create tables',
      '--target pocketbase',
      'set CONFORMANCE_SUPERUSER_IDENTITY and CONFORMANCE_SUPERUSER_PASSWORD, or add --read-only',
    )
  }
  for (const run of await runsWithTables(admin)) {
    if (run === input.run || input.others.alive.includes(run)) continue
    // Only a run of this machine is known to have ended. One of another machine may take any time.
    if (!input.others.dead.includes(run)) {
      input.note(
        `tables of another run (conf_${run}_*) exist, and it may still be running: they are kept; remove them if it has ended`,
      )
      continue
    }
    const removed = await removeTables(admin, run)
    input.note(
      `an earlier run ended before its clean-up: its ${removed} tables (conf_${run}_*) are removed now`,
    )
  }
  await takeSettings(admin, input)
  try {
    const lacking = await importTables(admin, namespaced(input.tables, input.run))
    if (lacking.length > 0)
      input.note(
        `the server does not have the field type ${lacking.join(', ')}: the tables were made without it`,
      )
  } catch (error) {
    await restoreSettings(admin, input)
    throw error
  }
  const tables = namespaced(loadTables(), input.run)
  return {
    tables: Object.fromEntries(tables.map(({ role, definition: { name, id } }) => [role, { name, id }])),
    ...(input.smtp !== undefined && { capabilities: { mail: true } }),
    ...(admin.signIn !== undefined && { credentials: { superuser: { signIn: admin.signIn } } }),
  }
}

/** Removes the tables of this run and puts the settings back. */
export async function teardown(input: SetupInput): Promise<void> {
  if (input.readOnly) return
  const admin = await createAdmin(input)
  if (admin === undefined) return
  await removeTables(admin, input.run)
  await restoreSettings(admin, input)
}
