/**
 * A server may end the token that a refresh extends. The checks that refresh the superuser's session must not take the
 * run's only credential from it.
 */

import { expect, it } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import { startFaultyServer } from '../../proofs/faults/matrix/faulty-server.ts'
import { loadRequirements } from '../../spec/requirements.ts'

const wanted = ['refresh.superuser', 'token.lifetime', 'auth.superuser-token', 'create.persists']

it('continues with the new token of the superuser, up to the end of the clean-up', async () => {
  const requirements = loadRequirements()
  const checks = (await loadSuites()).filter(({ id }) => wanted.includes(id))
  const server = await startFaultyServer(1)
  const ended = new Set<string | null>()
  await server.use({
    make: () => async (request, next) => {
      const token = request.headers.get('authorization')
      if (token !== null && ended.has(token)) return new Response('{}', { status: 401 })
      const response = await next(request)
      if (response.ok && request.url.endsWith('/auth-refresh')) ended.add(token)
      return response
    },
  })
  try {
    const { findings, errors } = await runInProcess(
      planChecks(checks, requirements),
      server.target,
      { requirements },
      { seed: 1, quick: true },
    )
    expect(ended.size).toBeGreaterThan(1)
    expect(findings.map(({ requirement, status }) => `${requirement} ${status}`).sort()).toEqual(
      wanted.map((id) => `${id} pass`).sort(),
    )
    const { records } = server.reference
    expect([errors, records.count('conf_plain'), records.count('conf_members')]).toEqual([[], 0, 0])
  } finally {
    await server.close()
  }
})
