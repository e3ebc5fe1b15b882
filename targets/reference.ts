/**
 * `--target reference`: what `conformance serve` serves, with the suite's tables. Its superuser comes from the
 * environment (`CONFORMANCE_SUPERUSER_IDENTITY`, `CONFORMANCE_SUPERUSER_PASSWORD`, or `CONFORMANCE_SUPERUSER_TOKEN`).
 *
 * The reference has no API to create tables: it has those that it was started with. A ready file of `conformance serve`
 * contains more (clock, keys, mail) and is itself a target file.
 *
 * @module
 */

import { ConfigurationError } from '../harness/errors.ts'
import type { SetupInput, SetupResult } from '../harness/target/setup.ts'
import type { TargetFile } from '../harness/target/target-file.ts'
import { loadTables } from '../spec/tables.ts'

export const target: Partial<TargetFile> = {
  baseUrl: 'http://127.0.0.1:8090',
  name: 'reference',
  profile: 'standard',
}

/** Looks up the suite's tables. Creates nothing, so the teardown has nothing to do. */
export async function setup({ baseUrl, prefix, note }: SetupInput): Promise<SetupResult> {
  const tables: NonNullable<SetupResult['tables']> = {}
  const missing: string[] = []
  for (const { role, definition } of loadTables()) {
    const { name, id } = definition
    const address = `${baseUrl}${prefix}/collections/${name}/records?perPage=1`
    // A redirect may lead to another server, whose tables are not the target's.
    const response = await fetch(address, { redirect: 'manual' }).catch(
      (error: Error & { cause?: { code?: string } }) => {
        throw new ConfigurationError(
          `the server is not reachable (${error.cause?.code ?? error.message})`,
          baseUrl,
          'start it with `conformance serve --port 8090`, or correct --base-url',
        )
      },
    )
    await response.body?.cancel()
    if (response.status === 404) missing.push(role)
    else tables[role] = { name, id }
  }
  if (missing.length > 0) note(`the server was started with other tables: ${missing.join(', ')} missing`)
  return { tables }
}
