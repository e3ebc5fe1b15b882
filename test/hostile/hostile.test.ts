/**
 * Against servers that are wrong through and through: a run ends with findings and no error of ours, and what passes
 * there is what such a server really does right.
 */

import { describe, expect, it, vi } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import { roleTables } from '../../harness/target/embedded.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { hostileServers, startHostile } from './hostile-servers.ts'

// Half of what a run takes is waiting for tokens to expire.
vi.setConfig({ maxConcurrency: Object.keys(hostileServers).length })
const names = Object.keys(hostileServers)
const requirements = loadRequirements()
const checks = planChecks(await loadSuites(), requirements)

async function passing(name: string) {
  const { url, server } = await startHostile(hostileServers[name] ?? (() => ({ status: 500 })))
  try {
    const { findings, errors, ended } = await runInProcess(
      checks,
      {
        baseUrl: url,
        profile: 'standard',
        binding: standardBinding(),
        capabilities: { batch: true, otp: true },
        tables: roleTables(),
        credentials: {},
      },
      { requirements },
      // Each of them responds immediately: only a busy machine could be waited for.
      { seed: 1, quick: true, runs: 0.4, timeout: 60_000 },
    )
    const passed = findings.filter(({ status }) => status === 'pass').map(({ requirement }) => requirement)
    return {
      passed: passed.sort(),
      errors: errors.map(({ place, message }) => `${place}: ${message}`),
      ended,
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The document shows no body for these, and does not say when they are rejected. */
const anyBody = ['derived.auth-with-oauth2', 'derived.create-record', 'derived.list-auth-methods']

/** Requirements whose every word holds for a server that takes whatever it is given, or rejects it in the right form. */
const accepting = [
  ...anyBody,
  'derived.auth-refresh',
  'derived.auth-with-otp',
  'derived.confirm-email-change',
  'derived.confirm-password-reset',
  'derived.confirm-verification',
  'derived.request-email-change',
  'derived.request-otp',
  'derived.request-password-reset',
  'derived.request-verification',
  'auth-methods.agrees-otp',
  'auth-methods.agrees-password',
  'auth-methods.any-token',
  'auth-methods.lists',
  'auth-methods.without-token',
  'auth-record.common-fields',
  'auth-record.starts-unverified',
  'auth-record.verified',
  'auth-record.verified-not-claimed',
  'auth.response-token',
  'delete.status',
  'operation.create-record',
  'operation.list-auth-methods',
  'operation.list-records',
  'operation.view-record',
  'prefix.v1',
  'record-id.generated',
  'record.created-fixed',
  'refresh.status',
  'robust.batch-bodies',
  'robust.deep-nesting',
  'robust.get-body',
  'robust.malformed-bodies',
  'robust.media-types',
  'robust.surrogates',
  'rules.empty',
  'sign-in.status',
  'view.status',
  'wire.json-bodies',
  'wire.json-errors',
  'wire.json-media-type',
  'wire.media-type',
  'wire.no-empty-success',
  'wire.no-secrets',
  'wire.no-server-error',
]
const refusing = ['derived.methods', 'error.data-empty', 'error.envelope', 'error.media-type']
/** The ids of what these create differ, and no list shows one twice. */
const listing = ['derived.list-records', 'list.one-shape', 'list.shape', 'record.id-unique']

/** What these servers do right. Each was read, and found to be no accident of the check. */
const deserved: Readonly<Record<string, readonly string[]>> = {
  'an empty object for everything': anyBody,
  'null for everything': anyBody,
  'an empty list for everything': anyBody,
  '400 for everything': refusing,
  '401 for everything': refusing,
  'nothing in any list': [...accepting, ...listing],
  'records of another table and wrong totals': [
    ...accepting,
    ...listing,
    'list.default-page',
    'list.page-below-one',
    'list.per-page-below-one',
  ],
  'lists of nulls': accepting,
}

// Each is a whole run. `npm test` has the other tests of this folder.
describe
  .runIf(inFull)
  .concurrent('a run passes nothing for the wrong reason and ends without an error of ours, against', () => {
    it.each(names)('%s', { timeout: 300_000 }, async (name) => {
      const { passed, errors, ended } = await passing(name)
      expect({ errors, ended }).toEqual({ errors: [], ended: undefined })
      expect(passed.filter((id) => !(deserved[name] ?? []).includes(id))).toEqual([])
    })
  })
