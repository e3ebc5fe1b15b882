/**
 * What a run fails on a server that lacks one operation and does not declare it. Only requirements about this operation
 * may fail: for the others, the operation is needed on the way, and its absence blocks them.
 *
 * @module
 */

import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import type { Target } from '../../../harness/vocabulary/target.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { swallow } from '../combinators/combinators.ts'
import { without } from '../combinators/without.ts'
import { exchangeInProcess } from './exchange-in-process.ts'
import { startFaultyServer } from './faulty-server.ts'

export interface WithoutOptions {
  /** The status of the response to every request of the operation. @default the response to an unknown path */
  status?: number
  /** Without a superuser, emails, a provider or hooks: what a run with an address alone has. @default false */
  unaided?: boolean
  /** One of so many checks is planned, with those that it needs. @default 1 */
  every?: number
}

/**
 * The failures of the document's requirements on a server without the operation that are not about it, and errors of
 * the run: there should be none.
 */
export async function failuresWithout(
  operation: OperationId,
  { status, unaided = false, every = 1 }: WithoutOptions = {},
): Promise<string[]> {
  const requirements = loadRequirements()
  const documented = (await loadSuites()).filter(({ id }) => requirements.get(id)?.basis !== 'profile')
  const checks = documented.filter((_, at) => at % every === 0)
  const server = await startFaultyServer(1)
  try {
    const make =
      status === undefined ? without([operation]) : swallow(operation, status, { message: 'Not allowed.' })
    await server.use({ make })
    const { profile: _, ...unclaimed } = server.target
    const { hooks: _hooks, services: _services, ...alone } = unclaimed
    const target: Target = unaided ? { ...alone, credentials: {} } : unclaimed
    const { findings, errors, otherViolations } = await runInProcess(
      planChecks(checks, requirements),
      { ...target, mail: { ...target.mail, quiet: 50, patience: 1_000 } },
      { requirements, exchange: exchangeInProcess(server.fetch) },
      { seed: 1, quick: true, runs: 0.1, checkTimeout: 30_000 },
    )
    const accused = findings.filter(
      ({ requirement, status }) =>
        (status === 'fail' || status === 'warn') &&
        requirements.get(requirement)?.operations.includes(operation) !== true,
    )
    return [
      ...accused.map(({ requirement, message }) => `${requirement}: ${message}`),
      ...errors.map(({ place, message }) => `${place}: ${message}`),
      ...otherViolations.map(({ requirement, message }) => `${requirement}: ${message}`),
    ]
  } finally {
    await server.close()
  }
}
