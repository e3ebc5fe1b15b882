/**
 * What the suite needs in addition to the interface. `conformance serve` provides it through its ready file: a mailbox,
 * an identity provider that the tables trust, the clock, and keys created on demand. The embedded target has the same,
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
  /** The tables of the suite, with the provider configured where OAuth 2.0 is enabled. */
  data: ServedData
}

/** @param reference returns the served reference when a hook is called */
export async function startSuiteServices(reference: () => Reference): Promise<SuiteServices> {
  const services = await startServices({ smtp: {}, oidc: {} }, referenceHooks(reference))
  const { provider } = services
  const tables = provider === undefined ? tableDefinitions() : withProvider(tableDefinitions(), provider)
  return { ...services, data: { tables, records: {}, superusers: [], keys: [], inferred: [] } }
}
