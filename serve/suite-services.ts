/**
 * What the suite needs beside the interface, offered by `conformance serve` to whoever has its ready file: a mailbox,
 * an identity provider that the tables trust, the clock, and keys made on demand. The same as the embedded target has,
 * so that both give the same findings.
 *
 * @module
 */

import { referenceHooks } from '../harness/target/embedded.ts'
import { type RunningServices, startServices } from '../harness/target/start-services.ts'
import { withProvider } from '../harness/target/with-provider.ts'
import type { Reference } from '../reference/reference.ts'
import { tableDefinitions } from '../spec/tables.ts'
import type { ServedData } from './served-data.ts'

export interface SuiteServices extends RunningServices {
  /** The tables of the suite, with the provider configured where OAuth 2.0 is switched on. */
  data: ServedData
}

/** @param reference the one that is served by the time somebody asks a hook */
export async function startSuiteServices(reference: () => Reference): Promise<SuiteServices> {
  const services = await startServices({ smtp: {}, oidc: {} }, referenceHooks(reference))
  const { provider } = services
  const tables = provider === undefined ? tableDefinitions() : withProvider(tableDefinitions(), provider)
  return { ...services, data: { tables, records: {}, superusers: [], keys: [], inferred: [] } }
}
