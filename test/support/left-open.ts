/**
 * The reference with one difference where the document leaves it open, and what the suite says of it.
 *
 * @module
 */

import { afterAll, beforeAll, expect } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import type { Finding, Status } from '../../harness/vocabulary/finding.ts'
import type { SessionOptions } from '../../harness/vocabulary/options.ts'
import type { DeclaredFault } from '../../proofs/faults/fault.ts'
import { type FaultyServer, startFaultyServer } from '../../proofs/faults/matrix/faulty-server.ts'
import { loadRequirements } from '../../spec/requirements.ts'

const requirements = loadRequirements()
const parts = { requirements }

/** For the tests of one file. Gives what asks a server that differs like this, by ids of requirements. */
export function leftOpenServer() {
  let server: FaultyServer
  beforeAll(async () => {
    server = await startFaultyServer(1)
  })
  afterAll(() => server.close())

  return async (
    name: string,
    make: DeclaredFault['make'],
    only: readonly string[],
    options: Partial<SessionOptions> = {},
  ) => {
    await server.use({ name, trips: [], make })
    const checks = planChecks(await loadSuites(), requirements, { only })
    const settings = { seed: 7, quick: true, ...options }
    const result = await runInProcess(checks, server.target, parts, settings)
    expect(result.errors).toEqual([])
    return result
  }
}

/** There is a finding for each of the ids, and it is a pass if nothing else is said. */
export function expectFindings(
  findings: readonly Finding[],
  ids: readonly string[],
  otherwise: Readonly<Record<string, Status>> = {},
): void {
  const unlike = findings
    .map(({ requirement, status, message }) => ({ requirement, status, message }))
    .filter(({ requirement, status }) => status !== (otherwise[requirement] ?? 'pass'))
  expect(unlike).toEqual([])
  expect(findings.map(({ requirement }) => requirement).sort()).toEqual(ids.toSorted())
}
